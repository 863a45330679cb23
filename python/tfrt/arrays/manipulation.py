"""The same elements in another shape or order."""

__all__: list[str] = []
