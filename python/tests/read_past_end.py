"""Has an op read past the end of a block, which the address sanitizer must report: its library is in the process."""

import ctypes

import tfrt

x = tfrt.tensor([1.0] * 64)
capsule = x.__dlpack__()
get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
# DLTensor: data, device (two of 32 bits), number of dimensions and data type (32 bits each), shape.
shape = ctypes.c_void_p.from_address(get_pointer(capsule, b"dltensor") + 24).value
ctypes.c_int64.from_address(shape).value = 65


class Longer:
    def __dlpack__(self, **options):
        return capsule

    def __dlpack_device__(self):
        return 1, 0


print(tfrt.from_dlpack(Longer()) + 1.0)
