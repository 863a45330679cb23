"""The namespace tfrt with names for its complex dtypes, for the suite's tests of Fourier transforms.

tfrt has no such names, because not all functions take these dtypes.
"""

import tfrt

complex64, complex128 = tfrt.DType("complex64"), tfrt.DType("complex128")


def __getattr__(name):
    return getattr(tfrt, name)
