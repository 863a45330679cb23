"""The text of docs/reference/eager_ops.md, for make_eager_ops.py: one list of the functions of arrays and the ops.

Its entries come from other tables: the op table, the table of the element-wise functions, the headers of
tfrt/eager/arrays, the names in the package of Python, the cases of NumPy's results, the evidence of ONNX's cases and
the rows that GPUs do not have.
"""

import ast
import json
import keyword
import pathlib
import re
import struct

SOURCE_DIR = pathlib.Path(__file__).resolve().parent.parent
CASES = SOURCE_DIR / "test" / "numpy" / "cases"
ONNX_EVIDENCE = SOURCE_DIR / "test" / "conformance" / "ops.json"
GPU_ROWS = SOURCE_DIR / "test" / "gpu" / "unit" / "ops" / "coverage_test.cc"

# The functions of the array API standard 2024.12 beside the element-wise ones of the table, by module of Python.
STANDARD = {
    "tfrt": """
        arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu zeros
        zeros_like astype can_cast finfo iinfo isdtype result_type clip conj imag isfinite real square
        take take_along_axis matmul matrix_transpose tensordot vecdot broadcast_arrays broadcast_to concat expand_dims
        flip moveaxis permute_dims repeat reshape roll squeeze stack tile unstack argmax argmin count_nonzero nonzero
        searchsorted where unique_all unique_counts unique_inverse unique_values argsort sort cumulative_prod
        cumulative_sum max mean min prod std sum var all any diff""",
    "tfrt.linalg": """
        cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power matrix_rank matrix_transpose outer
        pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm""",
    "tfrt.fft": """
        fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift""",
}
# The op of the table that such a function is a call of, where it has another name.
ROW_OF = {
    "astype": "cast", "cumulative_prod": "cumulative_product", "det": "determinant", "inv": "inverse",
    "max": "reduce_max", "mean": "reduce_mean", "min": "reduce_min", "permute_dims": "transpose",
    "prod": "reduce_prod", "searchsorted": "search_sorted", "sum": "reduce_sum", "take": "gather",
    "take_along_axis": "gather_elements", "unique_all": "unique", "where": "select",
}
# The functions of C++ that are not in the namespace.
CPP_ELSEWHERE = {"from_dlpack": "Tensor::FromDlpack"}
# The names of dtypes by code, and of groups of them.
DTYPES = {1: "u8", 2: "u16", 3: "u32", 4: "u64", 5: "i1", 6: "i8", 7: "i16", 8: "i32", 9: "i64", 10: "f32", 11: "f64",
          12: "complex64", 13: "complex128", 14: "f16", 15: "bf16"}
GROUPS = (("ints", "i8 i16 i32 i64 u8 u16 u32 u64".split()), ("floats", "f16 bf16 f32 f64".split()),
          ("complex", "complex64 complex128".split()))

HEAD = """\
# Eager ops and functions of arrays

One list of what programs call eagerly and in traced functions, made by
`scripts/make_eager_ops.py build/ci/bin/list_eager_ops`. Do not edit.

- **standard**: the function of the [array API standard](https://data-apis.org/array-api/2024.12/) 2024.12. Its inputs
  of different dtypes [meet in one](../python.md#dtypes).
- **op**: the row of the op table that computes it. A function without one is composed of several.
- **C++**: the functions of `tfrt/eager/arrays.h`, in the namespaces `arrays`, `arrays::linalg` and `arrays::fft`, and of
  `tfrt/eager/ops.h`.
- **ONNX**: the ops that the importer makes this row alone of. [onnx_ops.md](onnx_ops.md) has the others.
- **TensorFlow**: the op that programs call by this name ([compatibility.md](../compatibility.md#the-core-runtime)).
- **dtypes**: those of the first input in the cases of `test/numpy/cases`, or else with which ONNX's cases run. `ints` are
  i8 to i64 and u8 to u64; `floats` f16, bf16, f32 and f64. A function also takes those that are promoted to them. Without
  an entry no such case exists.
- **devices**: `sim` is the accelerator in memory, `gpu` is described in [gpu.md](../gpu.md#eager-ops). A call that its
  device does not have runs on the host. Composed functions run where their ops do.
- **gradient**: `yes`, or why there is none. The gradient of a composed function goes through its ops.
"""

ARGUMENTS = """
## Arguments

`a?` is an optional argument, `a...` any number of them. An argument in italics is a host value: axes, shapes and sizes,
which stay in host memory wherever the op runs; of any number of arguments it is the last one. Several spellings share a
row of the table; those of the family `tfrt_test` have none, and are called by name alone. Attributes with `=` may be left
out in C++. Ops marked "by data" have results whose shape is known only when they have run; those marked "effect" run in
the order in which they are called.
"""


def types_text(types):
    parts, rest = [], set(types)
    for name, group in GROUPS:
        if rest.issuperset(group):
            parts.append(name)
            rest -= set(group)
    return ", ".join(parts + [name for name in DTYPES.values() if name in rest])


# --- What other tables say ---

class Cases:
    """The dtypes of first inputs, by op, in the files of test/numpy/make_op_cases.py."""

    def __init__(self):
        self.types = {}
        for path in sorted(CASES.glob("*.bin")):
            self.data = path.read_bytes()
            if not self.data.startswith(b"TFRTOPS1"):
                continue
            self.at = 8
            for _ in range(self.number("I")):
                self.case()

    def number(self, code):
        size = struct.calcsize("<" + code)
        self.at += size
        return struct.unpack("<" + code, self.data[self.at - size:self.at])[0]

    def text(self):
        size = self.number("I")
        self.at += size
        return self.data[self.at - size:self.at]

    def tensor(self):
        code = self.number("B")
        count = 1
        for _ in range(self.number("B")):
            count *= self.number("q")
        sizes = {1: 1, 2: 2, 3: 4, 4: 8, 5: 1, 6: 1, 7: 2, 8: 4, 9: 8, 10: 4, 11: 8, 12: 8, 13: 16, 14: 2, 15: 2}
        self.at += count * sizes[code]
        return DTYPES[code]

    def case(self):
        op = self.text().decode()
        for _ in range(self.number("I")):
            self.text()
            self.at += 2
            self.text()
        types = [self.tensor() for _ in range(self.number("I"))]
        for _ in range(self.number("I")):
            self.at += 8
            self.tensor()
        if types:
            self.types.setdefault(op, set()).add(types[0])


def dtypes_by_row(ops):
    row_of = {op["name"]: op["op"] for op in ops}
    found = {}
    for name, types in Cases().types.items():
        row = name[6:] if name.startswith("graph.") else row_of.get(name)
        found.setdefault(row, set()).update(types)
    for name, evidence in json.loads(ONNX_EVIDENCE.read_text()).items():
        for row in evidence["rows"]:
            if row not in found and (len(evidence["rows"]) == 1 or row.replace("_", "") == name.lower()):
                found[row] = {re.sub("^ui", "u", each) for each in evidence["types"]}
    for row in ("eigh", "qr", "svd"):  # their results are not unique: python/tests/test_linalg.py
        found.setdefault(row, {"f32", "f64"})
    return found


def onnx_by_row():
    found = {}
    for name, evidence in json.loads(ONNX_EVIDENCE.read_text()).items():
        if len(evidence["rows"]) == 1:
            found.setdefault(evidence["rows"][0], []).append(name)
    return found


def rows_of_host_alone():
    """The rows that test/gpu/unit/ops/coverage_test.cc lists; None in a tree without GPUs."""
    if not GPU_ROWS.exists():
        return None
    text = GPU_ROWS.read_text()
    later = re.search(r"kNotYet\[\] = \{(.*?)\};", text, re.DOTALL)[1]
    return set(re.findall(r'\{"(\w+)", Reason', text)) | set(re.findall(r'"(\w+)"', later))


def names_in_cpp():
    """The functions of tfrt/eager/arrays with their namespaces, by module of Python and name in small letters."""
    found = {module: {} for module in STANDARD}
    for path in sorted((SOURCE_DIR / "include/tfrt/eager/arrays").glob("*.h")):
        text = path.read_text()
        within = re.search(r"^namespace tfrt::eager::arrays(?:::(\w+))? \{", text, re.MULTILINE)[1]
        names = re.findall(r"^(?:inline )?[\w:<>, ]*\b([A-Z]\w+)\(", text, re.MULTILINE)
        for name in names + re.findall(r"^using arrays::(\w+);", text, re.MULTILINE):
            own = f"arrays::{within}::{name}" if within else f"arrays::{name}"
            found[f"tfrt.{within}" if within else "tfrt"][name.lower()] = own
    return found


def names_in_python():
    """The modules that export a name, by name."""
    found = {}
    files = [(path, "tfrt") for path in sorted((SOURCE_DIR / "python/tfrt/arrays").glob("*.py"))]
    files += [(SOURCE_DIR / f"python/tfrt/{name}.py", f"tfrt.{name}") for name in ("linalg", "fft")]
    for path, module in files:
        for node in ast.parse(path.read_text()).body:
            target = getattr(node, "target", None) or (getattr(node, "targets", None) or [None])[0]
            if getattr(target, "id", "") != "__all__" or not isinstance(node.value, ast.List):
                continue
            for name in ast.literal_eval(node.value):
                found.setdefault(name, []).append(module)
    return found


# --- The list ---

class Page:
    def __init__(self, ops, functions, cpp_name, has_function):
        self.ops, self.functions = ops, functions
        self.cpp_name, self.has_function = cpp_name, has_function
        self.dtypes, self.onnx = dtypes_by_row(ops), onnx_by_row()
        self.host_alone = rows_of_host_alone() or set()
        self.in_cpp, self.in_python = names_in_cpp(), names_in_python()
        self.spellings = {}
        for op in ops:
            if not op["name"].startswith("tfrt_test."):
                self.spellings.setdefault(op["op"], []).append(op)

    def standard_rows(self):
        """Names of the standard with their modules and ops of the table, None for composed ones."""
        row_of = {op["name"]: op["op"] for op in self.ops}
        found = [(function["array"], "tfrt", row_of[function["name"]]) for function in self.functions]
        composed = {"clip"}  # the row of the name takes scalar bounds alone
        for module, names in STANDARD.items():
            for name in names.split():
                row = ROW_OF.get(name, name)
                found.append((name, module, row if row in self.spellings and name not in composed else None))
        return found

    def row(self, standard, module, row):
        spellings = self.spellings.get(row, [])
        cpp, python = [], []
        if standard:
            own = self.in_cpp[module].get(standard.replace("_", ""))
            if module == "tfrt":
                own = {f["array"]: f"arrays::{f['cpp']}" for f in self.functions}.get(standard, own)
            cpp += [f"`{own}`"] if own else []
            cpp += [f"`{CPP_ELSEWHERE[standard]}`"] if standard in CPP_ELSEWHERE else []
            python += [f"`{module}.{standard}`"] if module in self.in_python.get(standard, []) else []
        cpp += [f"`{self.cpp_name(op)}`" for op in spellings if self.has_function(op)]
        if any(self.has_function(op) for op in spellings):
            python.append(f"`tfrt.ops.{row}{'_' * keyword.iskeyword(row)}`")
        if any(op["name"] == "tf.StopGradient" for op in spellings):
            python.append("`tfrt.ops.stop_gradient`")
        shown = f"{module[5:]}.{standard}" if standard and module != "tfrt" else standard or ""
        onnx = ", ".join(self.onnx.get(row, []))
        tensorflow = ", ".join(f"`{op['name']}`" for op in spellings if op["name"].startswith(("tf.", "_tf.")))
        return (f"| {shown} | {f'`{row}`' if row else ''} | {', '.join(dict.fromkeys(cpp))} | {', '.join(python)} | {onnx} | "
                f"{tensorflow} | {types_text(self.dtypes.get(row, ()))} | {self.devices(row, spellings)} | "
                f"{self.gradient(row, spellings)} |\n")

    def devices(self, row, spellings):
        if not row:
            return ""
        if not any(op["runs"] for op in spellings):
            return "none"
        return "host, sim" + ("" if row in self.host_alone else ", gpu")

    def gradient(self, row, spellings):
        if not row:
            return ""
        return next((op["no_gradient"] for op in spellings if op["no_gradient"]), "yes")

    def list(self):
        text = "\n| standard | op | C++ | Python | ONNX | TensorFlow | dtypes | devices | gradient |\n|---|---|---|---|---|---|---|---|---|\n"
        rows = self.standard_rows()
        named = {row for _, _, row in rows}
        rows += [("", "", row) for row in self.spellings if row not in named]
        for standard, module, row in sorted(rows, key=lambda each: (each[0] or each[2], each[1])):
            text += self.row(standard, module, row)
        return text

    def arguments(self):
        text = ARGUMENTS
        for family in sorted({op["name"].split(".")[0] for op in self.ops}):
            text += f"\n### {family}\n\n| op | in the table | arguments | attributes | results | |\n|---|---|---|---|---|---|\n"
            for op in sorted(self.ops, key=lambda op: op["name"]):
                if op["name"].split(".")[0] == family:
                    text += arguments_row(op)
        return text


def arguments_row(op):
    mark = {"required": "", "optional": "?", "variadic": "..."}
    arguments = ", ".join(("*{}*" if a["host"] else "{}").format(a["name"] + mark[a["kind"]]) for a in op["arguments"])
    row = f"`{op['op']}`" if op["op"] != op["name"] else ""
    attrs = ", ".join(f"`{a['name']}`: {a['kind'].split(' ', 1)[-1]}" + (f" = `{a['default']}`" if a["default"] else "")
                      for a in op["attrs"])
    notes = [op["summary"]]
    if op["effects"]:
        notes.append("(effect)")
    if not op["metadata"] and op["results"]:
        notes.append("(by data)")
    if not op["runs"]:
        notes.append("(metadata only)")
    return f"| `{op['name']}` | {row} | {arguments} | {attrs} | {', '.join(op['results'])} | {' '.join(notes)} |\n"


def reference(ops, functions, cpp_name, has_function):
    page = Page(ops, functions, cpp_name, has_function)
    return HEAD + page.list() + page.arguments()
