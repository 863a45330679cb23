"""Products of matrices and vectors, and contractions of several axes."""

__all__: list[str] = []
