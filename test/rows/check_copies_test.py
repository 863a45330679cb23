#!/usr/bin/env python3
"""Plants a copied function in a small source tree and expects check_copies.py to find it."""

import pathlib
import tempfile
import unittest

import check_copies

FIRST = """\
#define LIST(V) \\
  V(1) { \\
  V(2)
// A function of 12 statements: {
int Sum(const Rows& rows) {
""" + "".join(f"  int x{i} = rows.Get({i}, \"a row\");\n" for i in range(10)) + """\
  for (int i = 0; i < 3; ++i) {
    if (x1 > x2) x3 += x4;
  }
  return x3;
}
"""
OTHER = "lib/compat/tensor_kernels/other.cc"
TREE = {"lib/ops/host_ops/first_ops.cc": FIRST, OTHER: "int Sum() { return 3; }\n"}


class CheckCopiesTest(unittest.TestCase):
    def expect(self, other, is_copy):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**TREE, OTHER: other}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            errors = check_copies.check_tree(pathlib.Path(folder))[1]
        place = "lib/ops/host_ops/first_ops.cc:5"
        self.assertEqual(errors, [f"{place}: the same function is in {OTHER}:{5 if is_copy == 5 else 6}"] if is_copy
                         else [])

    def test_no_copy(self):
        self.expect(TREE[OTHER], False)

    def test_other_names(self):
        self.expect(FIRST.replace("x", "value_").replace("a row", "a line").replace("Sum", "Total"), 5)

    def test_other_comments(self):
        self.expect("// more\n" + FIRST.replace("  return", "  // The sum.\n  return"), 6)

    def test_a_lambda(self):
        self.expect(FIRST.replace("int Sum(const Rows& rows) {", "auto sum =\n    [&](const Rows& rows) -> int {"), 6)

    def test_other_use_of_names(self):
        self.expect(FIRST.replace("x3 += x4", "x3 += x3"), False)

    def test_other_number(self):
        self.expect(FIRST.replace("i < 3", "i < 4"), False)

    def test_few_statements(self):
        self.assertEqual(list(check_copies.functions("int F() { int a = 1; return a; }")), [])

    def test_a_branch_is_no_function(self):
        body = FIRST[FIRST.index("{\n  int x0") :]
        self.assertEqual(len(list(check_copies.functions(f"void F() {{ if (true) {body} }}"))), 1)


if __name__ == "__main__":
    unittest.main()
