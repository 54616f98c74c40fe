"""OpenLineage events of the statements that a warehouse ran."""
