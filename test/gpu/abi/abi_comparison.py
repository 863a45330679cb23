"""Compares our declarations of a vendor's library with its headers, and their names with its exports.

Reads headers of gpu/abi, and writes and runs the program that includes them and the vendor's.
"""

import pathlib
import re
import subprocess
import tempfile

HEADERS = "gpu/abi"
COMMENT = re.compile(r"//[^\n]*")


def read(path):
    return COMMENT.sub("", path.read_text()).replace("\\\n", " ")


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


class Comparison:
    """A program that compares what has the same name in our namespace and in the vendor's headers.

    `label` begins its last line. `lists` are the names of the lists of functions in our header.
    """

    def __init__(self, label, namespace, our_header, lists, vendor_headers):
        self.label, self.namespace = label, namespace
        self.our_header, self.lists, self.vendor_headers = our_header, lists, vendor_headers
        self.own_values, self.vendor_types, self.pairs, self.checks = [], [], [], []

    def declare(self, our, their):
        """Makes two declarations one for the comparison of types."""
        self.pairs.append((our, their))

    def same(self, what, our, their):
        self.checks.append(f'Same("{what}", tfrt::gpu::SameAbi<{our}, {their}>());')

    def compare(self, what, our, their):
        self.checks.append(f'Compare("{what}", {our}, {their});')

    def value(self, name, their=None, type="int"):
        """A constant, which we read before macros of the vendor replace its name."""
        self.own_values.append(f"constexpr {type} v_{name} = static_cast<{type}>({self.namespace}::{name});")
        self.compare(name, f"ours::v_{name}", their or f"static_cast<{type}>({name})")

    def enum(self, name, enumerators, is_type=True):
        if is_type:
            self.declare(f"{self.namespace}::{name}", f"::{name}")
            self.compare(f"size of {name}", f"sizeof({self.namespace}::{name})", f"sizeof(::{name})")
        for enumerator in enumerators:
            self.value(enumerator)

    def record(self, name, names, skipped=(), types=True):
        our, their = f"{self.namespace}::{name}", f"::{name}"
        self.declare(our, their)
        self.compare(f"size of {name}", f"sizeof({our})", f"sizeof({their})")
        self.compare(f"alignment of {name}", f"alignof({our})", f"alignof({their})")
        for member in names:
            if member in skipped:
                continue
            field = f"{name}.{member}"
            ours, theirs = f"std::declval<{our}&>().{member}", f"std::declval<{their}&>().{member}"
            self.compare(f"offset of {field}", f"offsetof({our}, {member})", f"offsetof({their}, {member})")
            self.compare(f"size of {field}", f"sizeof({ours})", f"sizeof({theirs})")
            if types and not any(other.startswith(member + ".") for other in names):
                self.same(field, f"std::remove_reference_t<decltype({ours})>",
                          f"std::remove_reference_t<decltype({theirs})>")

    def handle(self, name, tag):
        """A pointer to a structure, which ours and the vendor's only declare."""
        self.declare(f"{self.namespace}::{tag}", f"std::remove_pointer_t<::{name}>")
        self.same(name, f"{self.namespace}::{name}", f"::{name}")

    def function(self, name, their=None):
        self.same(name, f"ours::T_{name}", their or f"decltype(::{name})")

    def overloaded_function(self, name, declaration):
        """As function, of one to which the vendor's header adds C++ functions of the same name."""
        self.vendor_types.append(f"using Vendors_{name} = {declaration.replace(name, '', 1)}")
        self.function(name, f"::Vendors_{name}")

    def text(self):
        out = ["#include <cstddef>", "#include <cstdint>", "#include <cstdio>", "#include <utility>",
               f'#include "{HEADERS}/{self.our_header}"', '#include "test/gpu/abi/same_abi.h"',
               "namespace ours {", f"using namespace {self.namespace};",
               "#define TYPE(result, name, since, parameters, arguments) using T_##name = result parameters;",
               " ".join(f"{name}(TYPE)" for name in self.lists), *self.own_values, "}",
               *(f"#include <{header}>" for header in self.vendor_headers), *self.vendor_types,
               "namespace tfrt::gpu {",
               *(f"template <> inline constexpr bool kSameDeclaration<{our}, {their}> = true;"
                 for our, their in self.pairs),
               "}", "static int num_compared, num_errors;",
               "static void Compare(const char* what, long long our, long long theirs) {",
               "  ++num_compared;", "  if (our == theirs) return;", "  ++num_errors;",
               '  std::printf("%s: ours is %lld, the vendor\'s is %lld\\n", what, our, theirs);', "}",
               "static void Same(const char* what, bool same) {", "  ++num_compared;", "  if (same) return;",
               "  ++num_errors;", '  std::printf("%s: the types differ\\n", what);', "}", "int main() {",
               *self.checks,
               f'std::printf("{self.label}: %d values, sizes, offsets and types compared, %d errors\\n", '
               "num_compared, num_errors);", "return num_errors != 0;", "}", ""]
        return "\n".join(out)

    def run(self, root, includes, cxx):
        """True if all is alike; says what is not."""
        with tempfile.TemporaryDirectory() as folder:
            source, binary = pathlib.Path(folder, "check.cc"), pathlib.Path(folder, "check")
            source.write_text(self.text())
            # Declarations alone are used: nothing of the library is linked.
            command = [cxx, "-std=c++20", "-w", "-Wno-invalid-offsetof", f"-I{root}", f"-I{root}/include"]
            for include in includes:
                command += ["-isystem", include]
            result = subprocess.run([*command, source, "-o", binary], capture_output=True, text=True)
            if result.returncode != 0:
                print("\n".join(line for line in result.stderr.splitlines() if "error" in line))
                return False
            return subprocess.run([binary]).returncode == 0


def compare_exports(label, names, library, nm):
    """True if the library exports all names; says which it does not."""
    result = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    exported = {line.split()[-1].split("@")[0] for line in result.stdout.splitlines() if line.strip()}
    return compare_names(label, names, exported, library)


def compare_names(label, names, exported, library):
    errors = [name for name in names if name not in exported]
    for name in errors:
        print(f"{name}: {library} does not have it")
    print(f"{label}: {len(names)} functions looked up among {len(exported)} names of {library}, "
          f"{len(errors)} missing")
    return not errors
