"""Readers of the statements that warehouses share; a dialect lists those it has, beside its own."""
