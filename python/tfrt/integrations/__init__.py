"""Engines for more than one machine. Each module needs the packages of its engine, and imports them when it is imported.

`mpi` trains in several processes of MPI, `arrow` runs models on columns of Arrow, and `ray` serves and maps in Ray.
"""
