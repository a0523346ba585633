"""The players of banqi: a tree search with chance nodes, and simple ones to measure it by."""
