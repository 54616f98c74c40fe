"""What a statement does, traced: which columns feed which, which decide the rows, and how the session moves on."""
