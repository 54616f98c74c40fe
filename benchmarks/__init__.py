"""Programs that measure: cost against parsing, speed and correctness against others; see `make bench`."""
