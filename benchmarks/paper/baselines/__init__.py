"""The methods to compare with, one file each: embed(data, seed, settings, extras) -> Embedded (see methods.py)."""
