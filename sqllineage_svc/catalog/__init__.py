"""The catalog: every event kept, any moment asked."""
