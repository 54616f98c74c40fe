"""A script's lineage as a person or a program reads it."""
