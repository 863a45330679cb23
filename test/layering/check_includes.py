#!/usr/bin/env python3
"""Checks every #include of a tfrt header against the table in cmake/TfrtLayers.cmake.

usage: check_includes.py SOURCE_DIR
"""

import pathlib
import re
import sys

RUNTIME = {"support", "opinfo", "bef", "async", "host_context", "executor", "tensor", "kernels",
           "tracing", "driver"}
SOURCE_SUFFIXES = {".h", ".cc"}
ALLOWED = re.compile(r"^set\(TFRT_ALLOWED_DEPS_(\w+) ([^)]*)\)", re.MULTILINE)
TFRT_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]tfrt/(\w+)/', re.MULTILINE)
MLIR_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]((?:mlir|llvm)[/-][^>"]*)', re.MULTILINE)


def read_table(root):
    text = (root / "cmake" / "TfrtLayers.cmake").read_text()
    table = {name: set(deps.replace('"', "").split()) for name, deps in ALLOWED.findall(text)}
    if not table:
        sys.exit("check_includes: found no layer table in cmake/TfrtLayers.cmake")
    return table


def check_file(path, layer, allowed):
    text = path.read_text()
    errors = [f"{path}: library '{layer}' may not include tfrt/{included}/"
              for included in TFRT_INCLUDE.findall(text)
              if included != layer and included not in allowed]
    if layer in RUNTIME:
        errors += [f"{path}: runtime library '{layer}' may not include {header}"
                   for header in MLIR_INCLUDE.findall(text)]
    return errors


def main():
    root = pathlib.Path(sys.argv[1])
    table = read_table(root)
    errors = []
    num_files = 0
    for parent in (root / "lib", root / "include" / "tfrt"):
        for folder in sorted(p for p in parent.iterdir() if p.is_dir()):
            layer = folder.name
            if layer not in table:
                errors.append(f"{folder}: no entry in cmake/TfrtLayers.cmake")
                continue
            for path in sorted(folder.rglob("*")):
                if path.suffix in SOURCE_SUFFIXES:
                    num_files += 1
                    errors += check_file(path, layer, table[layer])
    for error in errors:
        print(error)
    print(f"check_includes: {num_files} files, {len(errors)} errors")
    sys.exit(1 if errors or not num_files else 0)


if __name__ == "__main__":
    main()
