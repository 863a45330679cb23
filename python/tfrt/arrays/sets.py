"""Elements without those that repeat."""

__all__: list[str] = []
