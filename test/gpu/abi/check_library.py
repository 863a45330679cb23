#!/usr/bin/env python3
"""Compares our declarations of a vendor's library with its headers, and their names with what it exports.

As check_cuda.py does for the driver. Exits with 77 (skipped) where there are no such files. The names that no library
which we support may lack are looked up in a committed list as well: of the names that the oldest one exports.

usage: check_library.py NAME --source DIR --cxx COMPILER --nm NM [--include DIR] [--library FILE] [--cuda-include DIR]
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from check_cuda import HEADERS, members, read


class Library:
    """What is not the same in all libraries."""

    def __init__(self, headers, result, version, oldest):
        self.headers = headers  # the vendor's
        self.result = result  # the type that most functions return
        self.version = version  # an expression of the vendor's macros, in our way of counting
        self.oldest = oldest  # the constant of ours up to which `since` means that no library may lack a function


LIBRARIES = {
    "cudnn": Library(["cudnn.h"], "cudnnStatus_t", "CUDNN_VERSION", "kMinCudnnVersion"),
}


class Declarations:
    """What our headers declare."""

    def __init__(self, root, name, library):
        folder = root / HEADERS
        types = read(folder / f"{name}_types.h")
        functions = read(folder / f"{name}_functions.h")
        self.handles = re.findall(r"using (\w+) = struct (\w+)\*;", types)
        self.scalars = re.findall(r"using (\w+) = (?!struct|cuda::)[\w ()*]+;", types)
        self.enums = {enum: re.findall(r"(\w+) = ", body)
                      for enum, body in re.findall(r"enum (\w+) : u?int32_t \{(.*?)\};", types, re.DOTALL)}
        self.enums[library.result] = re.findall(r"X\((\w+), \d+", read(folder / f"{name}_result.h"))
        self.records = {record: members(body)
                        for record, body in re.findall(r"struct (\w+) \{(.*?)\n\};", types, re.DOTALL)}
        self.functions = [(function, int(since))
                          for function, since in re.findall(r"X\([\w \*]+, (\w+), (\d+),", functions)]
        self.oldest = int(re.search(rf"{library.oldest} = (\d+);", types).group(1))
        if not (self.handles and self.functions and len(self.enums[library.result]) > 5):
            raise SystemExit(f"{folder}: found no declarations of {name}")


def program(ours, name, library):
    namespace = f"tfrt::gpu::{name}"
    out = ["#include <cstddef>", "#include <cstdint>", "#include <cstdio>", "#include <type_traits>",
           "#include <utility>", f'#include "gpu/abi/{name}_functions.h"', '#include "test/gpu/abi/same_abi.h"',
           "namespace ours {", f"using namespace {namespace};",
           "#define TYPE(result, name, since, parameters, arguments) using T_##name = result parameters;",
           f"TFRT_{name.upper()}_FUNCTIONS(TYPE)"]
    for enumerators in ours.enums.values():
        out += [f"constexpr long long v_{value} = {namespace}::{value};" for value in enumerators]
    out += ["}", *(f"#include <{header}>" for header in library.headers), "namespace tfrt::gpu {"]
    same = [(f"{namespace}::{type}", f"::{type}") for type in [*ours.enums, *ours.records]]
    same += [(f"std::remove_pointer_t<{namespace}::{type}>", f"std::remove_pointer_t<::{type}>")
             for type, _ in ours.handles]
    same += [("std::remove_pointer_t<cuda::CUstream>", "std::remove_pointer_t<::cudaStream_t>")]
    out += [f"template <> inline constexpr bool kSameDeclaration<{our}, {their}> = true;" for our, their in same]
    out += ["}", "static int num_compared, num_errors;",
            "static void Compare(const char* what, long long our, long long theirs) {",
            "  ++num_compared;", "  if (our == theirs) return;", "  ++num_errors;",
            '  std::printf("%s: ours is %lld, the vendor\'s is %lld\\n", what, our, theirs);', "}",
            "static void Same(const char* what, bool same) {", "  ++num_compared;", "  if (same) return;",
            "  ++num_errors;", '  std::printf("%s: the types differ\\n", what);', "}", "int main() {",
            f'std::printf("version %lld\\n", static_cast<long long>({library.version}));']
    for enum, enumerators in ours.enums.items():
        out.append(f'Compare("size of {enum}", sizeof({namespace}::{enum}), sizeof(::{enum}));')
        out += [f'Compare("{value}", ours::v_{value}, static_cast<long long>(::{value}));' for value in enumerators]
    for record, names in ours.records.items():
        our = f"{namespace}::{record}"
        out += [f'Compare("size of {record}", sizeof({our}), sizeof(::{record}));']
        out += [f'Compare("offset of {record}.{member}", offsetof({our}, {member}), offsetof(::{record}, {member}));'
                for member in names]
    out += [f'Same("{type}", tfrt::gpu::SameAbi<{namespace}::{type}, ::{type}>());'
            for type in ours.scalars + [type for type, _ in ours.handles]]
    out += [f'Same("{function}", tfrt::gpu::SameAbi<ours::T_{function}, decltype(::{function})>());'
            for function, _ in ours.functions]
    out += [f'std::printf("check_library: {name}: %d values, sizes, offsets and types compared, %d errors\\n", '
            "num_compared, num_errors);", "return num_errors != 0;", "}", ""]
    return "\n".join(out)


def compare_headers(options, ours, library):
    """True if all is alike; says what is not."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder, "check.cc"), pathlib.Path(folder, "check")
        source.write_text(program(ours, options.name, library))
        # Declarations alone are used: nothing of the library is linked.
        command = [options.cxx, "-std=c++20", "-w", f"-I{options.source}", f"-I{options.source}/include"]
        for include in (options.include, options.cuda_include):
            command += ["-isystem", include] if include else []
        result = subprocess.run([*command, source, "-o", binary], capture_output=True, text=True)
        if result.returncode != 0:
            print("\n".join(line for line in result.stderr.splitlines() if "error" in line))
            return False
        return subprocess.run([binary]).returncode == 0


def compare_exports(ours, library, nm):
    result = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    exported = {line.split()[-1].split("@")[0] for line in result.stdout.splitlines() if line.strip()}
    return look_up(ours.functions, exported, library)


def compare_oldest(options, ours):
    names = pathlib.Path(__file__).with_name("oldest_names") / f"{options.name}.txt"
    lines = [line.strip() for line in names.read_text().splitlines()]
    exported = {line for line in lines if line and not line.startswith("#")}
    required = [(name, since) for name, since in ours.functions if since <= ours.oldest]
    return look_up(required, exported, names.name)


def look_up(functions, exported, where):
    errors = [name for name, _ in functions if name not in exported]
    for name in errors:
        print(f"{name}: {where} does not have it")
    print(f"check_library: {len(functions)} functions looked up among {len(exported)} names of {where}, "
          f"{len(errors)} missing")
    return not errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=sorted(LIBRARIES))
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--include", default="", help="where the library's header is; empty if nowhere")
    parser.add_argument("--cuda-include", default="", help="where cuda.h is, if elsewhere")
    parser.add_argument("--library", default="", help="the library itself; empty if there is none")
    options = parser.parse_args()
    library = LIBRARIES[options.name]
    ours = Declarations(options.source, options.name, library)
    good = compare_oldest(options, ours)
    if not options.include:
        if not good:
            sys.exit(1)
        print(f"skipped: no {library.headers[0]} was found")
        sys.exit(77)
    good = compare_headers(options, ours, library) and good
    if options.library:
        good = compare_exports(ours, options.library, options.nm) and good
    else:
        print(f"check_library: {options.name} itself was not found: its exports are not compared")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
