"""SQL text and trees; knows no warehouse."""
