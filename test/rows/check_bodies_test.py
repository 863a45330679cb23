#!/usr/bin/env python3
"""Plants second bodies and shape functions in a small source tree and expects check_bodies.py to name each."""

import pathlib
import tempfile
import unittest

import check_bodies

OPS = "lib/ops/host_ops/some_ops.cc"
TREE = {
    check_bodies.REFERENCE: "| `tf.Relu` | `relu` | x |\n| `tfrt.Lrn` | `lrn` | x |\n| `tf.Const` | `constant` |  |\n"
                            "| `tf.Max` | `reduce_max` | x |\n| `tfrt_test.add` |  | x |\n",
    check_bodies.ELEMENTWISE: '  V(1, kRelu, "relu", 1, 0, true) \\\n  V(2, kGeluTanh, "relu", 1, 0, true)\n',
    OPS: 'registry->Implement("graph.lrn", {});\nregistry->Implement(\n    "graph.reduce_max", {});\n'
         '// Implement("graph.lrn", ...)\n',
    "lib/ops/host_ops/constant_ops.cc": 'registry->Implement("tf.Const", {});\nStatusOr<TensorMetadata> Const();\n',
    "lib/ops/host_ops/compiled.cc": "".join(f'registry->Implement("graph.{row}", {{}});\n'
                                                for row in sorted(check_bodies.OF_COMPILERS)),
    "lib/ops/graph_kernels/kernels.cc": 'registry->AddKernel("graph.constant", Constant);\n'
                                           'registry->AddKernel(name, kernel);\n',
    "lib/format/op_table/some_ops.cc": "StatusOr<TensorShape> LrnShape(const TensorShape& x);\n",
}


class CheckBodiesTest(unittest.TestCase):
    def expect(self, planted, *errors):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**TREE, **planted}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            # Reasons that the small tree has no use for are no errors of it.
            found = [error for error in check_bodies.check_bodies(root)[1] + check_bodies.check_shapes(root)
                     if "take it out" not in error or any(name in error for name in (*TREE, *planted, "constant"))]
            self.assertEqual(found, list(errors))

    def test_tree_is_clean(self):
        self.expect({})

    def test_two_bodies(self):
        more = "lib/ops/host_ops/more_ops.cc"
        self.expect({more: 'Implement("graph.lrn", {});'},
                    f'lrn: several bodies: {more}: Implement("graph.lrn", ...); {OPS}: Implement("graph.lrn", ...)')
        self.expect({more: 'Implement("tf.Max", {});'},
                    f'reduce_max: several bodies: {more}: Implement("tf.Max", ...); {OPS}: '
                    'Implement("graph.reduce_max", ...)')
        self.expect({more: 'AddKernel("graph.relu", Relu);'},
                    f'relu: several bodies: {more}: AddKernel("graph.relu", ...); {check_bodies.ELEMENTWISE}: Relu')
        self.expect({more: 'Implement("tf.Const", {});'},
                    'constant: several bodies: lib/ops/graph_kernels/kernels.cc: AddKernel("graph.constant", ...); '
                    f'lib/ops/host_ops/constant_ops.cc: Implement("tf.Const", ...); {more}: Implement("tf.Const", ...)')

    def test_no_body(self):
        self.expect({OPS: 'Implement("graph.lrn", {});'}, "reduce_max: no body")

    def test_no_row(self):
        self.expect({"lib/ops/host_ops/more_ops.cc": 'Implement("tf.Min", {});'},
                    "lib/ops/host_ops/more_ops.cc: tf.Min has a body and no row")

    def test_hidden_names(self):
        self.expect({"lib/ops/host_ops/more_ops.cc": "Implement(name, {});"},
                    "lib/ops/host_ops/more_ops.cc: Implement(name, ...) does not write out the name")

    def test_reasons_that_are_none(self):
        self.expect({"lib/ops/graph_kernels/kernels.cc": ""}, "constant: one body; take it out of TWO_BODIES")
        name = "lib/ops/host_ops/cpu_ops.cc"
        self.expect({name: 'RegisterAll();'}, f"{name}: names are written out; take it out of COMPUTED_NAMES")
        name = "lib/ops/host_ops/constant_ops.cc"
        self.expect({name: 'Implement("tf.Const", {});'}, f"{name}: no shape function; take it out of SHAPE_FUNCTIONS")

    def test_shape_functions(self):
        self.expect({OPS: TREE[OPS] + "StatusOr<TensorMetadata> MaxOf(const TensorMetadata& x) {\n"},
                    f"{OPS}: the shape function MaxOf is outside the op table (lib/format/op_table)")
        header = "include/tfrt/kernel_maths/shapes.h"
        self.expect({header: "StatusOr<TensorShape> Windows::Output() const;\n"},
                    f"{header}: the shape function Output is outside the op table (lib/format/op_table)")


if __name__ == "__main__":
    unittest.main()
