#!/usr/bin/env python3
"""Checks every #include of our headers, of MLIR and LLVM, of Eigen and oneDNN against the tables in
cmake/TfrtLayers.cmake.

Each source file of lib/, include/, dialects/, gpu/, tools/, examples/ and benchmarks/ is part of a layer or of a
client that the tables name; a file that is part of neither is an error.

usage: check_includes.py SOURCE_DIR
"""

import os
import pathlib
import re
import sys

FOLDERS = ("lib", "include", "dialects", "gpu", "tools", "examples", "benchmarks")
SOURCE_SUFFIXES = {".h", ".hpp", ".inc", ".c", ".cc", ".cpp", ".cxx", ".cu"}
SET = re.compile(r"^set\((TFRT_\w+)\s+([^)]*)\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
TEST_LAYER = "gpu_double"  # is built for tests alone, and may see what helps them
MLIR = re.compile(r"(mlir|llvm)(-c)?/")
MATHS_LIBRARY = re.compile(r"(unsupported/)?Eigen/|(oneapi/dnnl/)?dnnl")


class Tables:
    """Layers with those that each may see, and the clients above them."""

    def __init__(self, root):
        text = (root / "cmake" / "TfrtLayers.cmake").read_text()
        values = {name: values.replace('"', "").split() for name, values in SET.findall(text)}
        prefix = "TFRT_ALLOWED_DEPS_"
        self.layers = {name.removeprefix(prefix): set(deps)
                       for name, deps in values.items() if name.startswith(prefix)}
        prefix = "TFRT_HIDDEN_HEADERS_"
        self.hidden = {name.removeprefix(prefix): set(headers)
                       for name, headers in values.items() if name.startswith(prefix)}
        self.maths_library_users = set(values.get("TFRT_MATHS_LIBRARY_USERS", []))
        self.compiler_layers = set(values.get("TFRT_COMPILER_LAYERS", []))
        gpu = {layer for layer in self.layers if layer.startswith("gpu_")}
        runtime = set(self.layers) - self.compiler_layers - gpu
        compiler = self.compiler_layers.union(
            *(self.layers.get(layer, set()) for layer in self.compiler_layers))
        self.clients = {}
        for variable, layers in (("TFRT_RUNTIME_CLIENTS", runtime),
                                 ("TFRT_GPU_CLIENTS", runtime | gpu),
                                 ("TFRT_COMPILER_CLIENTS", compiler)):
            for path in values.get(variable, []):
                self.clients[path] = self.clients.get(path, set()) | layers
        self.errors = self.check(root)

    def check(self, root):
        if not self.layers or not self.clients:
            return ["cmake/TfrtLayers.cmake: found no layers or no clients"]
        errors = []
        earlier = set()
        for layer, deps in self.layers.items():
            errors += [f"cmake/TfrtLayers.cmake: '{layer}' may depend on '{dep}', which is not lower"
                       for dep in sorted(deps - earlier)]
            earlier.add(layer)
        errors += [f"cmake/TfrtLayers.cmake: there is no header '{header}' to hide from '{layer}'"
                   for layer, headers in self.hidden.items() for header in sorted(headers)
                   if not (root / "include" / header).exists()]
        return errors + [f"cmake/TfrtLayers.cmake: there is no client '{path}'"
                         for path in self.clients if not (root / path).exists()]

    def owner(self, path):
        """(kind, name) of a path in the source tree; kind is public, private, client or None."""
        parts = path.split("/")
        if parts[:4] == ["gpu", "include", "tfrt", "gpu"] and len(parts) > 5:
            return "public", "gpu_" + parts[4]
        if parts[0] == "gpu" and len(parts) > 2:
            return "private", "gpu_" + parts[1]
        if parts[:2] == ["include", "tfrt"] and len(parts) > 3:
            return "public", parts[2]
        if parts[0] == "lib" and len(parts) > 2:
            return "private", parts[1]
        if parts[0] == "dialects":
            return "public", "dialects"
        fitting = [client for client in self.clients
                   if path == client or path.startswith(client + "/")]
        return ("client", max(fitting, key=len)) if fitting else (None, None)

    def sees(self, kind, name):
        return self.clients[name] if kind == "client" else self.layers[name]

    def sees_mlir(self, kind, name):
        if kind == "client":
            return bool(self.clients[name] & self.compiler_layers)
        return name in self.compiler_layers


def included_path(root, path, quote, name):
    """Where the included file is or would be in the source tree; None if it is not ours."""
    if quote == '"' and (root / path).parent.joinpath(name).exists():
        return os.path.normpath(os.path.join(os.path.dirname(path), name))
    if name.startswith("tfrt/gpu/"):
        return "gpu/include/" + name
    if name.startswith("tfrt/"):
        return "include/" + name
    return name if name.split("/")[0] in FOLDERS + ("test",) else None


def check_file(root, path, tables):
    kind, name = tables.owner(path)
    if kind is None:
        return [f"{path}: is part of no layer and no client (cmake/TfrtLayers.cmake)"]
    if kind != "client" and name not in tables.layers:
        return [f"{path}: layer '{name}' has no entry in cmake/TfrtLayers.cmake"]
    errors = []
    for quote, include in INCLUDE.findall((root / path).read_text()):
        if MLIR.match(include) and not tables.sees_mlir(kind, name):
            errors.append(f"{path}: '{name}' of the runtime island may not include {include}")
        if MATHS_LIBRARY.match(include) and name not in tables.maths_library_users:
            errors.append(f"{path}: '{name}' may not include {include}, which is for maths alone")
        target = included_path(root, path, quote, include)
        if target is None or (target.startswith("test/") and path.endswith("_test.cc")):
            continue
        if target.startswith("test/support/") and name == TEST_LAYER:
            continue
        target_kind, target_name = tables.owner(target)
        if target.removeprefix("include/") in tables.hidden.get(name, ()):
            errors.append(f"{path}: '{name}' may not include {include}, which is hidden from it")
            continue
        if path.startswith(("include/", "gpu/include/")) and target_kind != "public":
            errors.append(f"{path}: public headers may not include {include}, which is not installed")
            continue
        if (target_kind == "client") == (kind == "client") and target_name == name:
            continue
        if target_kind != "public":
            errors.append(f"{path}: '{name}' may not include {include}, which is not public")
        elif target_name not in tables.sees(kind, name):
            errors.append(f"{path}: '{name}' may not include {include} of layer '{target_name}'")
    return errors


def check_tree(root):
    """The number of files, and what is wrong with them."""
    tables = Tables(root)
    errors = tables.errors
    paths = [path.relative_to(root).as_posix()
             for folder in FOLDERS for path in sorted((root / folder).rglob("*"))
             if path.suffix in SOURCE_SUFFIXES and path.is_file()]
    for path in paths:
        errors += check_file(root, path, tables)
    return len(paths), errors


def main():
    num_files, errors = check_tree(pathlib.Path(sys.argv[1]))
    for error in errors:
        print(error)
    print(f"check_includes: {num_files} files, {len(errors)} errors")
    sys.exit(1 if errors or not num_files else 0)


if __name__ == "__main__":
    main()
