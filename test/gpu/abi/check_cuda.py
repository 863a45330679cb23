#!/usr/bin/env python3
"""Compares our declarations of the CUDA driver with the vendor's header, and their names with its library.

Reads our headers, writes a program that includes ours and the vendor's and compares each value, size, offset and
signature, runs it, and looks each function up among the names that the vendor's stub library exports. What is newer
than the vendor's files is named and not compared. Exits with 77 (skipped) where there are no such files.

usage: check_cuda.py --source DIR --cxx COMPILER --nm NM [--include DIR] [--stub FILE]
"""

import argparse
import pathlib
import re
import sys

from abi_comparison import HEADERS, Comparison, compare_exports, members, read

# Enumerations that gather what the vendor has as macros.
MACROS = ("HostAllocationFlags", "HostRegistrationFlags", "LaunchParameterKeys")
NAMESPACE = "tfrt::gpu::cuda"
STREAMS = {"kLegacyStream": "CU_STREAM_LEGACY", "kPerThreadStream": "CU_STREAM_PER_THREAD"}


class Declarations:
    """What our headers declare."""

    def __init__(self, root):
        folder = root / HEADERS
        types = read(folder / "cuda_types.h")
        functions = read(folder / "cuda_driver_functions.h")
        self.handles = re.findall(r"using (CU\w+) = struct (\w+)\*;", types)
        self.scalars = re.findall(r"using (CU\w+) = (?!struct)[\w ()*]+;", types)
        self.enums = {}  # by name: their enumerators
        for name, body in re.findall(r"enum (\w+) : uint32_t \{(.*?)\};", types, re.DOTALL):
            self.enums[name] = re.findall(r"(\w+) =", body)
        self.enums["CUresult"] = re.findall(r"X\((CUDA_\w+), \d+\)", read(folder / "cuda_result.h"))
        self.records = {}  # by name: members, those of an inner structure as outer.inner
        for name, body in re.findall(r"(?:struct|union)(?: alignas\(8\))? (CU\w+) \{(.*?)\n\};", types, re.DOTALL):
            self.records[name] = members(body)
        self.functions = [(name, int(since))
                          for name, since in re.findall(r"X\(CUresult, (\w+), (\d+),", functions)]
        if not (self.handles and self.enums and self.records and self.functions):
            raise SystemExit(f"{folder}: found no declarations")


def toolkit_version(include):
    match = re.search(r"^#define CUDA_VERSION (\d+)", (include / "cuda.h").read_text(), re.MULTILINE)
    return int(match.group(1))


def typedef_of(function, since):
    """The vendor keeps a type for each version of each function."""
    return f"PFN_{re.sub(r'_v[0-9]+$', '', function)}_v{since}"


def comparison(ours, version):
    program = Comparison("check_cuda", NAMESPACE, "cuda_driver_functions.h",
                         ["TFRT_CUDA_DRIVER_FUNCTIONS", "TFRT_CUDA_DRIVER_TEST_FUNCTIONS"],
                         ["cuda.h", "cudaTypedefs.h"])
    for name, enumerators in ours.enums.items():
        program.enum(name, enumerators, is_type=name not in MACROS)
    for name, theirs in STREAMS.items():
        program.value(name, f"reinterpret_cast<uintptr_t>({theirs})", "unsigned long long")
    for name in ours.scalars:
        program.same(name, f"{NAMESPACE}::{name}", f"::{name}")
    for name, tag in ours.handles:
        program.handle(name, tag)
    for name, names in ours.records.items():
        program.record(name, names)
    for name, since in ours.functions:
        if since > version:
            print(f"check_cuda: {name} is newer than the header of version {version}: not compared")
        else:
            program.function(name, f"std::remove_pointer_t<{typedef_of(name, since)}>")
    return program


def compare_stub(ours, stub, version, nm):
    names = [name for name, since in ours.functions if since <= version]
    return compare_exports("check_cuda", names, stub, nm)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--include", default="", help="where cuda.h is; empty if nowhere")
    parser.add_argument("--stub", default="", help="the stub of libcuda; empty if there is none")
    options = parser.parse_args()
    if not options.include:
        print("skipped: no cuda.h with cudaTypedefs.h was found (-DTFRT_CUDA_INCLUDE_DIR=DIR names one)")
        sys.exit(77)
    include = pathlib.Path(options.include)
    ours = Declarations(options.source)
    version = toolkit_version(include)
    good = comparison(ours, version).run(options.source, [include], options.cxx)
    if options.stub:
        good = compare_stub(ours, options.stub, version, options.nm) and good
    else:
        print("check_cuda: no stub of libcuda.so was found: its exports are not compared")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
