"""The commands of `sqllin` that use the catalog, a module each; imported when they are run."""
