"""Each op of the table with each dtype: called in Python and traced, against what NumPy computed (test/numpy/cases)."""

import os
import pathlib
import re
import struct

import ml_dtypes
import numpy as np
import pytest

import tfrt

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CASES = SOURCE / "test" / "numpy" / "cases"
DTYPES = {1: "u1", 2: "u2", 3: "u4", 4: "u8", 5: "?", 6: "i1", 7: "i2", 8: "i4", 9: "i8", 10: "f4", 11: "f8", 12: "c8",
          13: "c16", 14: "f2", 15: ml_dtypes.bfloat16}
NAMES = {1: "u8", 2: "u16", 3: "u32", 4: "u64", 5: "i1", 6: "i8", 7: "i16", 8: "i32", 9: "i64", 10: "f32", 11: "f64",
         12: "complex64", 13: "complex128", 14: "f16", 15: "bf16"}
# Python's names of attributes, by row and name in cases of graph ops, where the two names differ.
RENAMED = {("cast", "dtype"): "DstT", ("argmax", "dtype"): "output_type", ("squeeze", "axes"): "squeeze_dims",
           ("zeros_like", "dtype"): "T", ("shape_of", "dtype"): "out_type", ("batch_matmul", "transpose_a"): "adj_x",
           ("batch_matmul", "transpose_b"): "adj_y"}
# Rows that no case calls: with effects, of lists and constants, which have tests of their own, and large layers, which
# test/unit/function/every_op_test.cc calls.
NOT_HERE = {"assert", "check_numerics", "check_numerics_v2", "constant", "ensure_shape", "list_write", "print",
            "sum_to", "attention", "eigh", "qr", "svd", "conv", "conv_integer", "conv_transpose", "average_pool",
            "fused_batch_matmul", "fused_conv", "fused_matmul", "gru", "lp_pool", "lstm", "matmul_integer", "max_pool",
            "max_pool_with_places", "rnn",
            "split_sizes"}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def bytes(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def text(self):
        return self.bytes(self.take("I")).decode()

    def list(self, read):
        return [read() for _ in range(self.take("I"))]

    def tensor(self):
        code, rank = self.take("BB")
        dims = [self.take("q") for _ in range(rank)]
        dtype = np.dtype(DTYPES[code])
        data = self.bytes(int(np.prod(dims, dtype=np.int64)) * dtype.itemsize)
        return np.frombuffer(data, dtype).reshape(dims)

    def attribute(self):
        """Its name and value; None: one of a kind that Python is not given here."""
        name, code, _, size = self.text(), *self.take("BBI")
        return name, value_of(code, self.bytes(size))

    def case(self):
        return (self.text(), self.list(self.attribute), self.list(self.tensor),
                self.list(lambda: (self.take("f"), self.take("f"), self.tensor())))


def value_of(code, data):
    """The attribute as Python gives it."""
    if code == 137:
        return list(struct.unpack_from(f"<{struct.unpack_from('<I', data)[0]}q", data, 4))
    if code == 25:
        return tfrt.DType(NAMES[data[0]])
    if code == 16:
        return data[4:].decode()
    return struct.unpack({5: "?", 8: "<i", 9: "<q", 10: "<f"}[code], data)[0]


def table():
    """Of each name of an eager op: its row, and which arguments are host values, which programs know."""
    text = (SOURCE / "docs/reference/eager_ops.md").read_text()
    lines = re.findall(r"^\| `([\w.]+)` \| `(\w+)` \| ([^|]*) \|", text, re.M)
    return {name: (row, [argument.startswith("*") for argument in arguments.split(", ")])
            for name, row, arguments in lines}


TABLE = table()
ROWS = {row: host for row, host in TABLE.values()}
FAMILIES = sorted(path.stem for path in CASES.glob("*.bin") if path.stem.startswith(("ops_", "graph_")))


class Case:
    """A call of an op of tfrt.ops."""

    def __init__(self, name, attributes, arguments, results):
        self.row = name[6:] if name.startswith("graph.") else TABLE[name][0]
        self.op = getattr(tfrt.ops, "assert_" if self.row == "assert" else self.row)
        self.attributes = {RENAMED.get((self.row, key), key) if name.startswith("graph.") else key: value
                           for key, value in attributes}
        self.arguments, self.results = arguments, results
        hosts = ROWS[self.row]
        self.is_host = [hosts[min(i, len(hosts) - 1)] for i in range(len(arguments))]
        if self.row == "concat":
            self.is_host = [False] * (len(arguments) - 1) + [True]

    def __call__(self, given):
        """`given`: what takes the place of the arguments that are no host values."""
        given = iter(given)
        arguments = [value if host else next(given) for host, value in zip(self.is_host, self.arguments)]
        if self.row == "concat":
            arguments = [arguments[:-1], arguments[-1]]
        made = self.op(*arguments, **self.attributes)
        return list(made) if isinstance(made, tuple) else [made]

    def given(self):
        return [tfrt.tensor(value) for host, value in zip(self.is_host, self.arguments) if not host]

    def check(self, made):
        assert len(made) >= len(self.results), self.row
        for tensor, (rtol, atol, expected) in zip(made, self.results):
            got = tensor.numpy()
            assert (got.dtype, got.shape) == (expected.dtype, expected.shape), self.row
            wide = np.complex128 if expected.dtype.kind == "c" else np.float64
            with np.errstate(all="ignore"):
                assert np.allclose(got.astype(wide), expected.astype(wide), rtol=rtol, atol=atol, equal_nan=True), (
                    self.row, self.attributes, got, expected)


def cases(family):
    """Of the calls that differ in elements alone the first ones."""
    reader = Reader((CASES / f"{family}.bin").read_bytes())
    assert reader.bytes(8) == b"TFRTOPS1"
    seen, found = {}, []
    for name, attributes, arguments, results in reader.list(reader.case):
        if not name.startswith("graph.") and (name not in TABLE or name.startswith("_tf.")):
            continue  # an op of the tests, or one whose argument is an attribute
        if name[6:] not in ROWS and name not in TABLE:
            continue  # a row that compilers alone make
        key = (name, repr(attributes), *(str(value.dtype) for value in arguments))
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= 2:
            found.append(Case(name, attributes, arguments, results))
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_calls_compute_what_numpy_does(family):
    for case in cases(family):
        case.check(case(case.given()))


@pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")
@pytest.mark.parametrize("family", FAMILIES)
def test_traced_calls_compute_what_numpy_does(family):
    # Compiled programs have no complex numbers.
    every = [case for case in cases(family) if all(value.dtype.kind != "c" for value in case.arguments)]
    for at in range(0, len(every), 64):
        some = every[at:at + 64]
        traced = tfrt.function(lambda given: [case(own) for case, own in zip(some, given)], exact=True)
        for case, made in zip(some, traced([case.given() for case in some])):
            case.check(made)


def test_no_op_is_missing():
    called = {case.row for family in FAMILIES for case in cases(family)}
    assert called | NOT_HERE >= set(ROWS) - {"fused_batch_norm"} and not called & NOT_HERE
