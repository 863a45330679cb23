#!/usr/bin/env python3
"""Prints what cuDNN knows of device 0, as its JSON: with it cuDNN plans for such a device where there is none.

usage: cudnn_device.py [FILE]     with FILE: what cuDNN makes of the JSON in it; needs no device

Ends with 77 and the reason if cuDNN 9 is not found, with 1 if a call fails.
"""

import ctypes
import glob
import os
import sys

# Numbers of cudnn_graph.h.
DEVICEPROP_DESCRIPTOR = 38
DEVICE_ID, JSON = 2700, 2702
INT32, CHAR = 23, 24


def find_cudnn():
    folders = [os.path.join(folder, "nvidia/cudnn/lib") for folder in sys.path]
    for root in ("/usr/local", "/usr", "/opt/*"):
        folders += glob.glob(f"{root}/lib/python3*/*-packages/nvidia/cudnn/lib")
    folders += [os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), lib) for lib in ("lib64", "lib")]
    reasons = []
    for path in ["libcudnn.so.9"] + [os.path.join(folder, "libcudnn.so.9") for folder in folders]:
        if "/" in path and not os.path.exists(path):
            continue
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            reasons.append(str(error))
    print(f"cudnn_device: cuDNN 9 is not found: {'; '.join(reasons)}", file=sys.stderr)
    sys.exit(77)


class Cudnn:
    def __init__(self):
        self.library = find_cudnn()
        self.library.cudnnGetErrorString.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            text = self.library.cudnnGetErrorString(status).decode()
            last = ctypes.create_string_buffer(1024)
            self.library.cudnnGetLastErrorString(last, ctypes.c_size_t(len(last)))
            sys.exit(f"cudnn_device: {name}: {text} {last.value.decode(errors='replace')}")

    def device(self, json=None):
        descriptor = ctypes.c_void_p()
        self.call("cudnnBackendCreateDescriptor", DEVICEPROP_DESCRIPTOR, ctypes.byref(descriptor))
        if json is None:
            number = ctypes.c_int32(0)
            self.call("cudnnBackendSetAttribute", descriptor, DEVICE_ID, INT32, ctypes.c_int64(1), ctypes.byref(number))
        else:
            self.call("cudnnBackendSetAttribute", descriptor, JSON, CHAR, ctypes.c_int64(len(json) + 1), json)
        self.call("cudnnBackendFinalize", descriptor)
        size = ctypes.c_int64()
        self.call("cudnnBackendGetAttribute", descriptor, JSON, CHAR, ctypes.c_int64(0), ctypes.byref(size), None)
        text = ctypes.create_string_buffer(size.value + 1)
        self.call("cudnnBackendGetAttribute", descriptor, JSON, CHAR, size, ctypes.byref(size), text)
        self.call("cudnnBackendDestroyDescriptor", descriptor)
        return text.value.decode()


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    json = None
    if len(sys.argv) == 2:
        with open(sys.argv[1], "rb") as file:
            json = file.read().strip()
    print(Cudnn().device(json))


main()
