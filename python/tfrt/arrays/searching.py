"""Where elements are: the largest, those that hold, the places of values."""

__all__: list[str] = []
