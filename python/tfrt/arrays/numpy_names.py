"""Functions that NumPy has beyond the array API standard."""

__all__: list[str] = []
