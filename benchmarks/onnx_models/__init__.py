"""Models in the forms of two exporters, the public models of three packages, and what runs them."""
