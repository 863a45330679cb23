"""Elements in order, and the order itself."""

__all__: list[str] = []
