"""Go: board, rules, scoring, search, records."""
