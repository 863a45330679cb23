#!/usr/bin/env python3
"""Checks every #include of our headers, of MLIR and LLVM, of Eigen, oneDNN and Highway against the
tables in cmake/TfrtLayers.cmake.

Each source file of lib/, include/, dialects/, gpu/, python/, tools/, examples/ and benchmarks/ is part of a layer or of
a client that the tables name; a file that is part of neither is an error, and so is a permission that nobody uses.

usage: check_includes.py SOURCE_DIR
"""

import os
import pathlib
import re
import sys

FOLDERS = ("lib", "include", "dialects", "gpu", "python", "tools", "examples", "benchmarks", "test/gpu/vendor")
SOURCE_SUFFIXES = {".h", ".hpp", ".inc", ".c", ".cc", ".cpp", ".cxx", ".cu"}
SET = re.compile(r"^set\((TFRT_\w+)\s+([^)]*)\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
# The library that takes the driver's place in tests shares only the declarations with the code under test.
VENDOR = "test/gpu/vendor"
VENDOR_SEES = {"support", "gpu_abi"}
MLIR = re.compile(r"(mlir|llvm)(-c)?/")
MATHS_LIBRARY = re.compile(r"(unsupported/)?Eigen/|(oneapi/dnnl/)?dnnl|hwy/")


class Tables:
    """Layers with those that each may see, their folders, and the clients above them."""

    def __init__(self, root):
        self.root = root
        text = (root / "cmake" / "TfrtLayers.cmake").read_text()
        values = {name: values.replace('"', "").split() for name, values in SET.findall(text)}

        def starting_with(prefix):
            return {name.removeprefix(prefix): found for name, found in values.items() if name.startswith(prefix)}

        self.layers = {name: set(deps) for name, deps in starting_with("TFRT_ALLOWED_DEPS_").items()}
        self.hidden = {name: set(headers) for name, headers in starting_with("TFRT_HIDDEN_HEADERS_").items()}
        self.wings = {wing: values.get("TFRT_WING_" + wing, []) for wing in values.get("TFRT_WINGS", [])}
        self.wing_sees = {name: set(wings) for name, wings in starting_with("TFRT_WING_SEES_").items()}
        self.folders = {folder_of(layer, wing): layer for wing, layers in self.wings.items() for layer in layers}
        self.headers = {folder: layer for layer, folders in starting_with("TFRT_HEADERS_OF_").items()
                        for folder in folders}
        self.maths_library_users = set(values.get("TFRT_MATHS_LIBRARY_USERS", []))
        self.compiler_layers = set(values.get("TFRT_COMPILER_LAYERS", []))
        gpu = {layer for layer in self.layers if layer.startswith("gpu_")}
        runtime = set(self.layers) - self.compiler_layers - gpu
        compiler = self.compiler_layers.union(
            *(self.layers.get(layer, set()) for layer in self.compiler_layers))
        self.clients = {VENDOR: VENDOR_SEES} if (root / VENDOR).exists() else {}  # the GPU half may be absent
        for variable, layers in (("TFRT_RUNTIME_CLIENTS", runtime),
                                 ("TFRT_GPU_CLIENTS", runtime | gpu),
                                 ("TFRT_COMPILER_CLIENTS", compiler)):
            for path in values.get(variable, []):
                self.clients[path] = self.clients.get(path, set()) | layers
        self.used = set()  # (layer, one that it may see)
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
        wing_of = {layer: wing for wing, layers in self.wings.items() for layer in layers}
        errors += [f"cmake/TfrtLayers.cmake: '{layer}' is in no wing" for layer in self.layers if layer not in wing_of]
        errors += [f"cmake/TfrtLayers.cmake: '{layer}' may depend on '{dep}' of the wing '{wing_of[dep]}', which its "
                   f"own does not see" for layer, deps in self.layers.items() for dep in sorted(deps)
                   if layer in wing_of and dep in wing_of and wing_of[dep] != wing_of[layer]
                   and wing_of[dep] not in self.wing_sees.get(wing_of[layer], set())]
        errors += [f"cmake/TfrtLayers.cmake: the wing '{wing}' sees '{seen}', and none of its layers depends on it"
                   for wing, layers in self.wings.items() for seen in sorted(self.wing_sees.get(wing, set()))
                   if not any(wing_of.get(dep) == seen for layer in layers for dep in self.layers.get(layer, ()))]
        errors += [f"cmake/TfrtLayers.cmake: there is no header '{header}' to hide from '{layer}'"
                   for layer, headers in self.hidden.items() for header in sorted(headers)
                   if not (root / "include" / header).exists()]
        return errors + [f"cmake/TfrtLayers.cmake: there is no client '{path}'"
                         for path in self.clients if not (root / path).exists()]

    def unused(self):
        """Permissions of which no #include makes use."""
        present = {layer for folder, layer in self.folders.items() if (self.root / folder).exists()}
        return [f"cmake/TfrtLayers.cmake: '{layer}' includes nothing of '{dep}', which it may"
                for layer, deps in self.layers.items() if layer in present
                for dep in sorted(deps) if (layer, dep) not in self.used]

    def owner(self, path):
        """(kind, name) of a path in the source tree; kind is public, private, client or None."""
        if path.startswith("include/tfrt/"):
            place = path.removeprefix("include/tfrt/")
            while place:
                if place in self.headers:
                    return "public", self.headers[place]
                if place in self.layers:
                    return "public", place
                place = place.rpartition("/")[0]
            return None, None
        fitting = [folder for folder in self.folders if path.startswith(folder + "/")]
        if fitting:
            return "private", self.folders[max(fitting, key=len)]
        fitting = [client for client in self.clients
                   if path == client or path.startswith(client + "/")]
        return ("client", max(fitting, key=len)) if fitting else (None, None)

    def sees(self, kind, name):
        return self.clients[name] if kind == "client" else self.layers[name]

    def sees_mlir(self, kind, name):
        if kind == "client":
            return bool(self.clients[name] & self.compiler_layers)
        return name in self.compiler_layers


def folder_of(layer, wing):
    if layer == "dialects":
        return layer
    if layer.startswith("gpu_"):
        return "gpu/" + layer.removeprefix("gpu_")
    return f"lib/{layer}" if layer in (wing, "compiler") else f"lib/{wing}/{layer}"


def included_path(root, path, quote, name):
    """Where the included file is or would be in the source tree; None if it is not ours."""
    if quote == '"' and (root / path).parent.joinpath(name).exists():
        return os.path.normpath(os.path.join(os.path.dirname(path), name))
    if name.startswith("tfrt/"):
        return "include/" + name
    return name if name.split("/")[0] in [folder.split("/")[0] for folder in FOLDERS] + ["test"] else None


def check_file(root, path, tables):
    kind, name = tables.owner(path)
    if kind is None:
        return [f"{path}: is part of no layer and no client (cmake/TfrtLayers.cmake)"]
    errors = []
    for quote, include in INCLUDE.findall((root / path).read_text()):
        if MLIR.match(include) and not tables.sees_mlir(kind, name):
            errors.append(f"{path}: '{name}' of the runtime island may not include {include}")
        if MATHS_LIBRARY.match(include) and name not in tables.maths_library_users:
            errors.append(f"{path}: '{name}' may not include {include}, which is for maths alone")
        target = included_path(root, path, quote, include)
        if target is None or (target.startswith("test/") and path.endswith("_test.cc")):
            continue
        if name == VENDOR and target.startswith(("test/support/", VENDOR)):
            continue
        target_kind, target_name = tables.owner(target)
        if target.removeprefix("include/") in tables.hidden.get(name, ()):
            errors.append(f"{path}: '{name}' may not include {include}, which is hidden from it")
            continue
        if path.startswith("include/") and target_kind != "public":
            errors.append(f"{path}: public headers may not include {include}, which is not installed")
            continue
        if (target_kind == "client") == (kind == "client") and target_name == name:
            continue
        if target_kind in ("client", None):
            errors.append(f"{path}: '{name}' may not include {include}, which is not part of a library")
        elif target_name not in tables.sees(kind, name):
            errors.append(f"{path}: '{name}' may not include {include} of layer '{target_name}'")
        elif target_kind == "private" and path.startswith("examples/"):
            errors.append(f"{path}: examples may not include {include}, which is not installed")
        else:
            tables.used.add((name, target_name))
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
    return len(paths), errors + tables.unused()


def main():
    num_files, errors = check_tree(pathlib.Path(sys.argv[1]))
    for error in errors:
        print(error)
    print(f"check_includes: {num_files} files, {len(errors)} errors")
    sys.exit(1 if errors or not num_files else 0)


if __name__ == "__main__":
    main()
