"""Indices: integers, slices, masks and integer arrays, to read and to assign."""

__all__: list[str] = []
