"""Functions of each element by itself, under the names of the array API standard."""

__all__: list[str] = []
