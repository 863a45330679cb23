#!/usr/bin/env python3
"""Compares our declarations of CUPTI with the vendor's headers, and their names with its library.

As check_cuda.py does for the driver. Exits with 77 (skipped) where there are no such files.

usage: check_cupti.py --source DIR --cxx COMPILER --nm NM [--include DIR] [--library FILE]
"""

import argparse
import pathlib
import re
import sys

from abi_comparison import HEADERS, Comparison, compare_exports, members, read

NAMESPACE = "tfrt::gpu::cupti"
# Whose record each of ours begins like: those of newer libraries are longer.
BASES = {"CUpti_ActivityKernel10": "CUpti_ActivityKernel9", "CUpti_ActivityMemcpy6": "CUpti_ActivityMemcpy5",
         "CUpti_ActivitySynchronization2": "CUpti_ActivitySynchronization",
         "CUpti_ActivityOverhead3": "CUpti_ActivityOverhead"}
# What became of padding in the newer record.
PADDING = {("CUpti_ActivityMemcpy6", "pad2")}
DRIVER_TYPES = ("CUcontext", "CUstream", "CUgraph", "CUgraphNode", "CUgraphExec")


class Declarations:
    """What our headers declare."""

    def __init__(self, root):
        folder = root / HEADERS
        types = read(folder / "cupti_types.h")
        functions = read(folder / "cupti_functions.h")
        self.enums = {name: re.findall(r"(CUPTI_\w+) =", body)
                      for name, body in re.findall(r"enum (\w+) : uint32_t \{(.*?)\};", types, re.DOTALL)}
        self.enums["CUptiResult"] = re.findall(r"X\((CUPTI_\w+), \d+\)", read(folder / "cupti_result.h"))
        self.records = {}
        for name, base, body in re.findall(
                r"struct (?:\[\[[^\]]*\]\] )?(CUpti_\w+)\s*(?:: (CUpti_\w+) )?\{(.*?)\n\};", types, re.DOTALL):
            if BASES.get(name, "") != base:
                raise SystemExit(f"{name} begins like '{base}'")
            self.records[name] = members(body)
        self.callbacks = re.findall(r"using (CUpti_\w+) = \w+ \(\*\)", types)
        self.functions = re.findall(r"X\(CUptiResult, (\w+), (?:true|false),", functions)
        self.range_functions = re.findall(r"X\((cupti\w+)\)", functions)
        if not (self.records and self.functions and self.range_functions and len(self.enums["CUptiResult"]) > 40):
            raise SystemExit(f"{folder}: found no declarations")


def comparison(ours):
    program = Comparison("check_cupti", NAMESPACE, "cupti_functions.h", ["TFRT_CUPTI_FUNCTIONS"],
                         ["cuda.h", "cupti.h", "cupti_activity_deprecated.h", "cupti_profiler_host.h",
                          "cupti_range_profiler.h"])
    for name in (*DRIVER_TYPES, "CUpti_SubscriberHandle"):
        program.declare(f"std::remove_pointer_t<{NAMESPACE}::{name}>", f"std::remove_pointer_t<::{name}>")
    program.declare("tfrt::gpu::cuda::CUgraphNodeType", "::CUgraphNodeType")
    program.declare(f"{NAMESPACE}::CUpti_Profiler_Host_Object", "::CUpti_Profiler_Host_Object")
    for name, enumerators in ours.enums.items():
        program.enum(name, enumerators)
    for name, own in ours.records.items():
        padding = {member for record, member in PADDING if record == name}
        program.record(name, own + ours.records.get(BASES.get(name), []), padding, types=False)
    for name in ours.functions:
        program.function(name)
    for name in ours.callbacks:
        program.same(name, f"{NAMESPACE}::{name}", f"::{name}")
    return program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--include", default="", help="where cupti.h is; empty if nowhere")
    parser.add_argument("--library", default="", help="libcupti.so.13; empty if there is none")
    options = parser.parse_args()
    version = pathlib.Path(options.include or "/", "cupti_version.h")
    if not options.include or not version.exists() or not re.search(r"CUPTI_API_VERSION 13\d{4}\b",
                                                                    version.read_text()):
        print("skipped: no cupti.h of CUDA 13 was found (-DTFRT_CUPTI_INCLUDE_DIR=DIR names one)")
        sys.exit(77)
    ours = Declarations(options.source)
    good = comparison(ours).run(options.source, [options.include], options.cxx)
    if options.library:
        names = ours.functions + ours.range_functions
        good = compare_exports("check_cupti", names, options.library, options.nm) and good
    else:
        print("check_cupti: no libcupti.so.13 was found: its exports are not compared")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
