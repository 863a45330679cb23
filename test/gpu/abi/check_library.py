#!/usr/bin/env python3
"""Compares our declarations of a vendor's library with its headers, and their names with what it exports.

As check_cuda.py does for the driver. Exits with 77 (skipped) where there are no such files. The names that no library
which we support may lack are looked up in a committed list as well: of the names that the oldest one exports.

usage: check_library.py NAME --source DIR --cxx COMPILER --nm NM [--include DIR] [--library FILE] [--cuda-include DIR]
"""

import argparse
import pathlib
import re
import sys

from abi_comparison import HEADERS, Comparison, compare_exports, compare_names, members, read


class Library:
    """What is not the same in all libraries."""

    def __init__(self, header, oldest, shares=(), overloaded=()):
        self.header = header  # the vendor's
        self.oldest = oldest  # the constant of ours up to which `since` means that no library may lack a function
        self.shares = shares  # the libraries whose types its functions take
        # By function: the header with its declaration, which is read as text, because C++ has another one, too.
        self.overloaded = overloaded


LIBRARIES = {
    "cublas": Library("cublas_v2.h", "kMinCublasVersion",
                      overloaded={"cublasGemmEx": "cublas_api.h", "cublasGemmStridedBatchedEx": "cublas_api.h"}),
    "cublaslt": Library("cublasLt.h", "kMinCublasLtVersion", shares=("cublas",)),
    "cudnn": Library("cudnn.h", "kMinCudnnVersion"),
}


class Declarations:
    """What our headers declare."""

    def __init__(self, root, name):
        folder = root / HEADERS
        types = read(folder / f"{name}_types.h")
        functions = read(folder / f"{name}_functions.h")
        self.namespace = f"tfrt::gpu::{name}"
        self.handles = re.findall(r"using (\w+) = struct (\w+)\*;", types)
        self.scalars = re.findall(r"using (\w+) = (?!struct|cuda::)[\w ()*]+;", types)
        self.enums = {enum: re.findall(r"(\w+) = ", body)
                      for enum, body in re.findall(r"enum (\w+) : u?int32_t \{(.*?)\};", types, re.DOTALL)}
        result = folder / f"{name}_result.h"
        if result.exists():
            text = read(result)
            self.enums[re.search(r"enum (\w+) :", text).group(1)] = re.findall(r"X\((\w+), \d+", text)
        self.records = {record: members(body) for record, body in re.findall(
            r"struct (?:alignas\(\d+\) )?(\w+) \{(.*?)\n\};", types, re.DOTALL)}
        self.functions = [(function, int(since))
                          for function, since in re.findall(r"X\([\w \*]+, (\w+), (\d+),", functions)
                          if function != "name"]
        # Lists of functions that differ in one type are made by a macro of their own.
        for macro, since in re.findall(r"#define (TFRT_\w+)\(X, name, \w+\)\s*X\(\w+, name, (\d+),", functions):
            self.functions += [(function, int(since))
                               for function in re.findall(rf"{macro}\(X, (\w+), \w+\)", functions)
                               if function != "name"]
        self.oldest = int(re.search(rf"{LIBRARIES[name].oldest} = (\d+);", types).group(1))
        if not (self.handles and self.enums and self.functions):
            raise SystemExit(f"{folder}: found no declarations of {name}")


def declaration_of(function, header):
    match = re.search(rf"^(?!static)([\w ]+?) (?:[A-Z]+ )?({function}\([^;{{]*;)", header.read_text(), re.MULTILINE)
    return f"{match.group(1)} {match.group(2)}"


def comparison(options, ours):
    name, library = options.name, LIBRARIES[options.name]
    program = Comparison(f"check_library: {name}", ours.namespace, f"{name}_functions.h",
                         [f"TFRT_{name.upper()}_FUNCTIONS"], [library.header])
    program.declare("std::remove_pointer_t<tfrt::gpu::cuda::CUstream>", "std::remove_pointer_t<::cudaStream_t>")
    for other in library.shares:
        shared = Declarations(options.source, other)
        for type in [*shared.enums, *shared.records]:
            program.declare(f"{shared.namespace}::{type}", f"::{type}")
    for type, enumerators in ours.enums.items():
        program.enum(type, enumerators)
    for type, names in ours.records.items():
        program.record(type, names)
    for type in ours.scalars:
        program.same(type, f"{ours.namespace}::{type}", f"::{type}")
    for type, tag in ours.handles:
        program.handle(type, tag)
    for function, _ in ours.functions:
        if function in library.overloaded:
            header = pathlib.Path(options.include, library.overloaded[function])
            program.overloaded_function(function, declaration_of(function, header))
        else:
            program.function(function)
    return program


def compare_oldest(options, ours):
    names = pathlib.Path(__file__).with_name("oldest_names") / f"{options.name}.txt"
    lines = [line.strip() for line in names.read_text().splitlines()]
    exported = {line for line in lines if line and not line.startswith("#")}
    required = [name for name, since in ours.functions if since <= ours.oldest]
    return compare_names("check_library", required, exported, names.name)


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
    ours = Declarations(options.source, options.name)
    good = compare_oldest(options, ours)
    if not options.include:
        if not good:
            sys.exit(1)
        print(f"skipped: no {LIBRARIES[options.name].header} was found")
        sys.exit(77)
    includes = [include for include in (options.include, options.cuda_include) if include]
    good = comparison(options, ours).run(options.source, includes, options.cxx) and good
    if options.library:
        names = [name for name, _ in ours.functions]
        good = compare_exports("check_library", names, options.library, options.nm) and good
    else:
        print(f"check_library: {options.name} itself was not found: its exports are not compared")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
