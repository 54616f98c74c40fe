"""Values that every floor speaks of; standard library only."""
