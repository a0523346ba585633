"""Lines to boards: ports, links, and a connection that finds its board again."""
