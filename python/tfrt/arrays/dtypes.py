"""Element types: what they hold, and which type two of them meet in."""

__all__: list[str] = []
