#!/usr/bin/env python3
"""Compares our declarations of CUPTI with the vendor's headers, and their names with its library.

As check_cuda.py does for the driver. Exits with 77 (skipped) where there are no such files.

usage: check_cupti.py --source DIR --cxx COMPILER --nm NM [--include DIR] [--library FILE]
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from check_cuda import HEADERS, members, read

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


def program(ours):
    out = ["#include <cstddef>", "#include <cstdint>", "#include <cstdio>", "#include <utility>",
           '#include "gpu/abi/cupti_functions.h"', '#include "test/gpu/abi/same_abi.h"', "namespace ours {",
           "using namespace tfrt::gpu::cupti;",
           "#define TYPE(result, name, required, parameters, arguments) using T_##name = result parameters;",
           "TFRT_CUPTI_FUNCTIONS(TYPE)"]
    for enumerators in ours.enums.values():
        out += [f"constexpr unsigned v_{name} = {NAMESPACE}::{name};" for name in enumerators]
    out += ["}", "#include <cuda.h>", "#include <cupti.h>", "#include <cupti_activity_deprecated.h>",
            "#include <cupti_profiler_host.h>",
            "#include <cupti_range_profiler.h>", "namespace tfrt::gpu {"]
    same = [(f"{NAMESPACE}::{name}", f"::{name}") for name in [*ours.enums, *ours.records]]
    same += [(f"std::remove_pointer_t<{NAMESPACE}::{name}>", f"std::remove_pointer_t<::{name}>")
             for name in (*DRIVER_TYPES, "CUpti_SubscriberHandle")]
    same += [("tfrt::gpu::cuda::CUgraphNodeType", "::CUgraphNodeType"),
             (f"{NAMESPACE}::CUpti_Profiler_Host_Object", "::CUpti_Profiler_Host_Object")]
    out += [f"template <> inline constexpr bool kSameDeclaration<{our}, {their}> = true;" for our, their in same]
    out += ["}", "static int num_compared, num_errors;",
            "static void Compare(const char* what, unsigned long long our, unsigned long long theirs) {",
            "  ++num_compared;", "  if (our == theirs) return;", "  ++num_errors;",
            '  std::printf("%s: ours is %llu, the vendor\'s is %llu\\n", what, our, theirs);', "}",
            "static void Same(const char* what, bool same) {", "  ++num_compared;", "  if (same) return;",
            "  ++num_errors;", '  std::printf("%s: the types differ\\n", what);', "}", "int main() {"]
    for enumerators in ours.enums.values():
        out += [f'Compare("{value}", ours::v_{value}, {value});' for value in enumerators]
    for name, own in ours.records.items():
        our = f"{NAMESPACE}::{name}"
        out += [f'Compare("size of {name}", sizeof({our}), sizeof(::{name}));',
                f'Compare("alignment of {name}", alignof({our}), alignof(::{name}));']
        for member in own + ours.records.get(BASES.get(name), []):
            if (name, member) in PADDING:
                continue
            out += [f'Compare("offset of {name}.{member}", offsetof({our}, {member}), offsetof(::{name}, {member}));',
                    f'Compare("size of {name}.{member}", sizeof(std::declval<{our}&>().{member}), '
                    f"sizeof(std::declval<::{name}&>().{member}));"]
    out += [f'Same("{name}", tfrt::gpu::SameAbi<ours::T_{name}, decltype(::{name})>());' for name in ours.functions]
    out += [f'Same("{name}", tfrt::gpu::SameAbi<{NAMESPACE}::{name}, ::{name}>());' for name in ours.callbacks]
    out += ['std::printf("check_cupti: %d values, sizes, offsets and types compared, %d errors\\n", num_compared, num_errors);',
            "return num_errors != 0;", "}", ""]
    return "\n".join(out)


def compare_headers(root, ours, include, cxx):
    """True if all is alike; says what is not."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder, "check.cc"), pathlib.Path(folder, "check")
        source.write_text(program(ours))
        # Declarations alone are used: nothing of the library is linked.
        command = [cxx, "-std=c++20", "-w", "-Wno-invalid-offsetof", f"-I{root}", f"-I{root}/include",
                   f"-I{root}", "-isystem", include, source, "-o", binary]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            print("\n".join(line for line in result.stderr.splitlines() if "error" in line))
            return False
        return subprocess.run([binary]).returncode == 0


def compare_exports(ours, library, nm):
    result = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    exported = {line.split()[-1].split("@")[0] for line in result.stdout.splitlines() if line.strip()}
    names = ours.functions + ours.range_functions
    errors = [name for name in names if name not in exported]
    for name in errors:
        print(f"{name}: {library} does not export it")
    print(f"check_cupti: {len(names)} functions looked up among {len(exported)} exports, {len(errors)} missing")
    return not errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--include", default="", help="where cupti.h is; empty if nowhere")
    parser.add_argument("--library", default="", help="libcupti.so.13; empty if there is none")
    options = parser.parse_args()
    version = pathlib.Path(options.include or "/", "cupti_version.h")
    if not options.include or not version.exists() or not re.search(r"CUPTI_API_VERSION 13\d{4}\b", version.read_text()):
        print("skipped: no cupti.h of CUDA 13 was found (-DTFRT_CUPTI_INCLUDE_DIR=DIR names one)")
        sys.exit(77)
    ours = Declarations(options.source)
    good = compare_headers(options.source, ours, pathlib.Path(options.include), options.cxx)
    if options.library:
        good = compare_exports(ours, options.library, options.nm) and good
    else:
        print("check_cupti: no libcupti.so.13 was found: its exports are not compared")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
