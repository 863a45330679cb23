"""The evidence of single-op cases for each op: how many pass and are refused, what rows of the op table they become,
and with which element types the op runs. scripts/make_onnx_ops.py makes a page of it.
"""

import collections
import json
import os
import shutil

# Names of the op table.
TYPES = {"BOOL": "i1", "INT8": "i8", "INT16": "i16", "INT32": "i32", "INT64": "i64", "UINT8": "ui8", "UINT16": "ui16",
         "UINT32": "ui32", "UINT64": "ui64", "FLOAT16": "f16", "BFLOAT16": "bf16", "FLOAT": "f32", "DOUBLE": "f64",
         "COMPLEX64": "complex64", "COMPLEX128": "complex128"}

# Ops whose element types are those of the graphs in them, or of an attribute of the case.
OPAQUE = {"BitCast", "If", "Loop", "Scan"}


class Case:
    """A model of one op: its schema, and the type parameter by which people tell its variants."""

    def __init__(self, path):
        import onnx

        self.path = path
        self.model = onnx.load(os.path.join(path, "model.onnx"), load_external_data=False)
        self.op = self.parameter = None
        nodes = self.model.graph.node
        if len(nodes) != 1 or nodes[0].domain not in ("", "ai.onnx"):
            return
        self.node, self.op = nodes[0], nodes[0].op_type
        version = next(opset.version for opset in self.model.opset_import if opset.domain in ("", "ai.onnx"))
        self.schema = onnx.defs.get_schema(self.op, version)
        inputs = [formal.type_str for formal in self.schema.inputs]
        outputs = [formal.type_str for formal in self.schema.outputs]
        shared = [each for each in outputs if each in inputs or not inputs]
        self.parameter = (shared or inputs)[0]

    def formals(self):
        """The type parameter of each value of the model, by name."""
        found = {}
        for names, formals in ((self.node.input, self.schema.inputs), (self.node.output, self.schema.outputs)):
            for index, name in enumerate(names):  # the last one may stand for any number of values
                found.setdefault(name, formals[min(index, len(formals) - 1)].type_str)
        return found

    def values(self):
        return [*self.model.graph.input, *self.model.graph.output]

    def kind(self):
        """The element type that the parameter stands for, by ONNX's number; 0 if that is no tensor's."""
        formals = self.formals()
        kinds = [value.type.tensor_type.elem_type for value in self.values()
                 if formals.get(value.name) == self.parameter]
        return next(filter(None, kinds), 0)

    def allowed(self, parameter):
        """ONNX's numbers of the element types that a parameter may stand for."""
        import onnx

        texts = next((each.allowed_type_strs for each in self.schema.type_constraints
                      if each.type_param_str == parameter),
                     [parameter])
        kinds = {f"tensor({onnx.TensorProto.DataType.Name(kind).lower()})": kind
                 for kind in onnx.TensorProto.DataType.values()}
        return [kinds[text] for text in texts if text in kinds]

    def write_as(self, kind, folder):
        """The case with another element type.

        Its results are not what the op gives: they are those of the first type.
        """
        import numpy
        from onnx import helper, numpy_helper, TensorProto

        formals, before = self.formals(), self.kind()
        model = type(self.model)()
        model.CopyFrom(self.model)
        changed = set()
        for value in [*model.graph.input, *model.graph.output]:
            parameter = formals.get(value.name)
            if value.type.tensor_type.elem_type == before and parameter and kind in self.allowed(parameter):
                value.type.tensor_type.elem_type = kind
                changed.add(value.name)
        os.makedirs(os.path.join(folder, "test_data_set_0"))
        with open(os.path.join(folder, "model.onnx"), "wb") as file:
            file.write(model.SerializeToString())
        for of, values in (("input", model.graph.input), ("output", model.graph.output)):
            for index, value in enumerate(values):
                name = os.path.join("test_data_set_0", f"{of}_{index}.pb")
                with open(os.path.join(self.path, name), "rb") as file:
                    tensor = TensorProto.FromString(file.read())
                if value.name in changed:
                    with numpy.errstate(all="ignore"):
                        array = numpy_helper.to_array(tensor).astype(helper.tensor_dtype_to_np_dtype(kind))
                    tensor = numpy_helper.from_array(array, value.name)
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(tensor.SerializeToString())


def typed_cases(cases, folder):
    """One case that passes of each op, with all element types that there are: paths by (op, type)."""
    from onnx import TensorProto

    shutil.rmtree(folder, ignore_errors=True)
    typed = {}
    for case in cases:
        if case.op in {op for op, _ in typed} or not case.kind() or case.op in OPAQUE:
            continue
        for kind in case.allowed(case.parameter):
            name = TYPES.get(TensorProto.DataType.Name(kind))
            if name:
                typed[case.op, name] = os.path.join(folder, case.op, name)
                case.write_as(kind, typed[case.op, name])
    return typed


def summarize(cases, found, rows, folder, run):
    """By op. `run` runs cases and gives states, rows and a status; `folder` is for cases that are made here."""
    try:
        import onnx  # noqa: F401
    except ImportError:
        return None
    ops = collections.defaultdict(lambda: {"passed": 0, "refused": 0, "types": [], "rows": set()})
    passing = []
    for name, path in cases.items():
        if not name.startswith("node/") or name.endswith("_expanded"):
            continue
        case = Case(path)
        if not case.op:
            continue
        op = ops[case.op]
        if name in found["pass"]:
            op["passed"] += 1
            op["rows"] |= set(rows[name].split())
            passing.append(case)
        else:
            op["refused"] += 1
    typed = typed_cases(passing, folder)
    states, _, _ = run({f"{op}/{name}": path for (op, name), path in typed.items()})
    for op, name in typed:
        case = f"{op}/{name}"
        # That it runs is what counts.
        if case in states["pass"] or states["wrong"].get(case, "").startswith("output "):
            ops[op]["types"].append(name)
        elif case in states["wrong"]:
            print(f"{case}: {states['wrong'][case]}")
    order = list(TYPES.values())
    for op in ops.values():
        op["rows"] = sorted(op["rows"])
        op["types"].sort(key=order.index)
    return dict(sorted(ops.items()))


def text_of(ops):
    return "{\n" + ",\n".join(f" {json.dumps(name)}: {json.dumps(op)}" for name, op in ops.items()) + "\n}\n"
