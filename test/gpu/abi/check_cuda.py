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
import subprocess
import sys
import tempfile

HEADERS = "gpu/abi"
COMMENT = re.compile(r"//[^\n]*")
# Enumerations that gather what the vendor has as macros.
MACROS = ("HostAllocationFlags", "HostRegistrationFlags", "LaunchParameterKeys")
NAMESPACE = "tfrt::gpu::cuda"
STREAMS = {"kLegacyStream": "CU_STREAM_LEGACY", "kPerThreadStream": "CU_STREAM_PER_THREAD"}


def read(path):
    return COMMENT.sub("", path.read_text()).replace("\\\n", " ")


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


def members(body):
    """Of one structure; all inner ones have names behind their closing brace."""
    names, inner = [], None
    for line in body.splitlines():
        line = line.strip()
        if line == "struct {":
            inner = []
        elif inner is not None and line.startswith("}"):
            outer = line.strip("} ;")
            names += [outer] + [f"{outer}.{name}" for name in inner]
            inner = None
        elif line:
            match = re.search(r"(\w+)(\[\d+\])?;$", line)
            if not match:
                raise SystemExit(f"cannot read the member '{line}'")
            (names if inner is None else inner).append(match.group(1))
    return names


def toolkit_version(include):
    match = re.search(r"^#define CUDA_VERSION (\d+)", (include / "cuda.h").read_text(), re.MULTILINE)
    return int(match.group(1))


def typedef_of(function, since):
    """The vendor keeps a type for each version of each function."""
    return f"PFN_{re.sub(r'_v[0-9]+$', '', function)}_v{since}"


def program(ours, version):
    """The comparing program, and the names of the functions that are newer than the vendor's files."""
    out = ["#include <cstddef>", "#include <cstdint>", "#include <cstdio>",
           '#include "gpu/abi/cuda_driver_functions.h"', '#include "test/gpu/abi/same_abi.h"',
           # Before the vendor's macros replace names.
           "namespace ours {",
           "#define TYPE(result, name, since, parameters, arguments) using T_##name = result(*) parameters;",
           "using namespace tfrt::gpu::cuda;",
           "TFRT_CUDA_DRIVER_FUNCTIONS(TYPE) TFRT_CUDA_DRIVER_TEST_FUNCTIONS(TYPE)"]
    for enumerators in ours.enums.values():
        out += [f"constexpr unsigned v_{name} = {NAMESPACE}::{name};" for name in enumerators]
    out += [f"constexpr unsigned long long v_{name} = {NAMESPACE}::{name};" for name in STREAMS]
    out += ["}", "#include <cuda.h>", "#include <cudaTypedefs.h>", "namespace tfrt::gpu {"]
    pairs = [f"{NAMESPACE}::{tag}, ::{tag}" for _, tag in ours.handles]
    pairs += [f"{NAMESPACE}::{name}, ::{name}" for name in [*ours.enums, *ours.records] if name not in MACROS]
    out += [f"template <> inline constexpr bool kSameDeclaration<{pair}> = true;" for pair in pairs]
    out += ["}", "static int num_compared, num_errors;",
            "static void Compare(const char* what, unsigned long long our, unsigned long long theirs) {",
            '  ++num_compared;',
            '  if (our == theirs) return;',
            "  ++num_errors;",
            '  std::printf("%s: ours is %llu, the vendor\'s is %llu\\n", what, our, theirs);',
            "}",
            "static void Same(const char* what, bool same) {",
            "  ++num_compared;",
            "  if (same) return;",
            "  ++num_errors;",
            '  std::printf("%s: the types differ\\n", what);',
            "}",
            "int main() {"]
    for name, enumerators in ours.enums.items():
        if name not in MACROS:
            out.append(f'Compare("size of {name}", sizeof({NAMESPACE}::{name}), sizeof(::{name}));')
        out += [f'Compare("{value}", ours::v_{value}, {value});' for value in enumerators]
    out += [f'Compare("{name}", ours::v_{name}, reinterpret_cast<uintptr_t>({theirs}));'
            for name, theirs in STREAMS.items()]
    out += [f'Same("{name}", tfrt::gpu::SameAbi<{NAMESPACE}::{name}, ::{name}>());'
            for name in ours.scalars + [name for name, _ in ours.handles]]
    for name, names in ours.records.items():
        out += [f'Compare("size of {name}", sizeof({NAMESPACE}::{name}), sizeof(::{name}));',
                f'Compare("alignment of {name}", alignof({NAMESPACE}::{name}), alignof(::{name}));']
        for member in names:
            field = f"{name}.{member}"
            our, their = f"std::declval<{NAMESPACE}::{name}&>().{member}", f"std::declval<::{name}&>().{member}"
            out += [f'Compare("offset of {field}", offsetof({NAMESPACE}::{name}, {member}), offsetof(::{name}, {member}));',
                    f'Compare("size of {field}", sizeof({our}), sizeof({their}));']
            if not any(other.startswith(member + ".") for other in names):
                out.append(f'Same("{field}", tfrt::gpu::SameAbi<std::remove_reference_t<decltype({our})>, '
                           f'std::remove_reference_t<decltype({their})>>());')
    newer = [name for name, since in ours.functions if since > version]
    out += [f'Same("{name}", tfrt::gpu::SameAbi<ours::T_{name}, {typedef_of(name, since)}>());'
            for name, since in ours.functions if name not in newer]
    out += ['std::printf("check_cuda: %d values, sizes, offsets and types compared, %d errors\\n", num_compared, num_errors);',
            "return num_errors != 0;", "}", ""]
    return "\n".join(out), newer


def compare_header(root, ours, include, cxx):
    """True if all is alike; says what is not."""
    version = toolkit_version(include)
    text, newer = program(ours, version)
    for name in newer:
        print(f"check_cuda: {name} is newer than the header of version {version}: not compared")
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder, "check.cc"), pathlib.Path(folder, "check")
        source.write_text(text.replace("#include <cstdio>", "#include <cstdio>\n#include <utility>"))
        command = [cxx, "-std=c++20", "-w", "-Wno-invalid-offsetof", f"-I{root}", f"-I{root}/include",
                   f"-I{root}", "-isystem", include, source, "-o", binary]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            print("\n".join(line for line in result.stderr.splitlines() if "error:" in line))
            return False
        return subprocess.run([binary]).returncode == 0


def compare_exports(ours, stub, version, nm):
    result = subprocess.run([nm, "-D", "--defined-only", stub], capture_output=True, text=True, check=True)
    exported = {line.split()[-1].split("@")[0] for line in result.stdout.splitlines() if line.strip()}
    errors = [name for name, since in ours.functions if since <= version and name not in exported]
    for name in errors:
        print(f"{name}: {stub} does not export it")
    print(f"check_cuda: {len(ours.functions)} functions looked up among {len(exported)} exports, {len(errors)} missing")
    return not errors


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
    good = compare_header(options.source, ours, include, options.cxx)
    if options.stub:
        good = compare_exports(ours, options.stub, toolkit_version(include), options.nm) and good
    else:
        print("check_cuda: no stub of libcuda.so was found: its exports are not compared")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
