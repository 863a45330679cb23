"""Sums, means and others over axes."""

__all__: list[str] = []
