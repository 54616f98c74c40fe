"""Column-level lineage from the SQL that a warehouse has already run."""
