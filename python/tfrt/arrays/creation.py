"""Arrays that are made of sizes, numbers or other arrays."""

__all__: list[str] = []
