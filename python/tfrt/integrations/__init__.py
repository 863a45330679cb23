"""Engines for more than one machine, and other libraries. Each module imports the packages of its own when it is
imported.

`mpi` trains in several processes of MPI, `arrow` runs models on columns of Arrow, and `ray` serves and maps in Ray.
`einops` makes einops take tensors.
"""
