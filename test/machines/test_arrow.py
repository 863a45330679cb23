"""Models on columns of Arrow: what is used in place, what each type becomes, and what is refused."""

import pathlib
import pickle
import sys

import numpy as np
import pyarrow as pa
import pytest

import tfrt
from tfrt.integrations import arrow

COLOURS = pathlib.Path(__file__).resolve().parents[2] / "examples/embed_model/colours.bef"


def nested(array):
    """The column of an array, element by element."""
    kind = pa.from_numpy_dtype(array.dtype)
    for size in reversed(array.shape[1:]):
        kind = pa.list_(kind, size)
    return pa.array(array.tolist(), kind)


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?"])
@pytest.mark.parametrize("shape", [(5,), (5, 3), (5, 3, 2), (0, 4), (0,)])
def test_columns_and_back(dtype, shape):
    array = (np.arange(np.prod(shape)) % 2).reshape(shape).astype(dtype)
    tensor = arrow.tensor_of(nested(array))
    assert tensor.shape == shape and tensor.numpy().dtype == array.dtype and (tensor.numpy() == array).all()
    column = arrow.column_of(tensor)
    column.validate(full=True)
    assert column.type == nested(array).type and column.to_pylist() == array.tolist()


def test_elements_are_used_in_place():
    values = pa.array(np.arange(24, dtype="f4"))
    column = pa.FixedSizeListArray.from_arrays(values, 3)
    place = values.buffers()[1].address
    assert address(arrow.tensor_of(column).numpy()) == place
    assert address(arrow.tensor_of(pa.chunked_array([column])).numpy()) == place
    part = arrow.tensor_of(column.slice(2, 5))
    assert address(part.numpy()) == place + 24 and part.tolist() == np.arange(6, 21).reshape(5, 3).tolist()
    tensor = tfrt.tensor(np.arange(12, dtype="i4").reshape(4, 3))
    made = arrow.column_of(tensor)
    assert made.flatten().buffers()[1].address == address(tensor.numpy())
    # Each keeps the memory of the other.
    expected, made_of = tensor.tolist(), arrow.tensor_of(pa.array(np.full(1 << 16, 7.0)))
    del tensor, values, column
    assert made.to_pylist() == expected and (made_of.numpy() == 7).all()


def test_several_chunks_and_tensors_of_arrow():
    chunks = pa.chunked_array([nested(np.ones((2, 3), "f4")), nested(np.zeros((1, 3), "f4"))])
    assert arrow.tensor_of(chunks).tolist() == [[1, 1, 1], [1, 1, 1], [0, 0, 0]]
    array = np.arange(12, dtype="f4").reshape(2, 3, 2)
    fixed = pa.FixedShapeTensorArray.from_numpy_ndarray(array)
    assert arrow.tensor_of(fixed).tolist() == array.tolist()
    assert arrow.tensor_of(pa.chunked_array([fixed, fixed])).shape == (4, 3, 2)
    empty = pa.chunked_array([], pa.list_(pa.int32(), 2))
    assert arrow.tensor_of(empty).shape == (0, 2)


@pytest.mark.parametrize("column, error, text", [
    (pa.array([1, None]), ValueError, "the column 'x' has missing values: 1 of 2"),
    (pa.array([[1, 2], None], pa.list_(pa.int32(), 2)), ValueError, "the column 'x' has missing values: 1 of 2"),
    (pa.array([[1, None]], pa.list_(pa.int32(), 2)), ValueError, "the column 'x' has missing values: 1 of 2"),
    (pa.array([[1], [2, 3]]), TypeError, "the column 'x' is of list<item: int64>, not of numbers"),
    (pa.array(["a"]), TypeError, "the column 'x' is of string, not of numbers"),
    (pa.array([{"a": 1}]), TypeError, "the column 'x' is of struct<a: int64>, not of numbers"),
    (pa.array([1], pa.timestamp("s")), TypeError, "not of numbers"),
    (pa.FixedShapeTensorArray.from_numpy_ndarray(np.ones((2, 3, 2)).transpose(0, 2, 1)), TypeError,
     "permutation=[1,0]]>, not of numbers or of tensors of one shape"),
], ids=range(8))
def test_columns_that_are_refused(column, error, text):
    with pytest.raises(error) as raised:
        arrow.tensor_of(column, "x")
    assert text in str(raised.value)


@pytest.mark.parametrize("tensor, error, text", [
    (tfrt.tensor(1.0), ValueError, "the result 'y' is one number"),
    (tfrt.zeros((2, 0)), ValueError, "the result 'y' has the shape (2, 0): rows without elements"),
    (tfrt.tensor([1.0], dtype=tfrt.bf16), TypeError, "the result 'y' is of bf16, which Arrow lacks"),
], ids=range(3))
def test_results_that_are_refused(tensor, error, text):
    with pytest.raises(error) as raised:
        arrow.column_of(tensor, "y")
    assert text in str(raised.value)


def test_predictor():
    colours = np.random.default_rng(0).random((6, 3)).astype("f4")
    model = tfrt.load(COLOURS)
    (name,), (result,) = [v.name for v in model.inputs], [v.name for v in model.outputs]
    expected = model.run([colours])[result].tolist()
    table = pa.table({"number": range(6), "pixels": nested(colours)})
    for given in (COLOURS, str(COLOURS), model):
        predict = pickle.loads(pickle.dumps(arrow.Predictor(given, columns={name: "pixels"}, keep=["number"])))
        found = predict(table)
        assert found.schema.names == ["number", result] and found.column("number").to_pylist() == list(range(6))
        assert found.column(result).to_pylist() == expected
    assert arrow.Predictor(model)(pa.record_batch({name: nested(colours)})).column(result).to_pylist() == expected
    with pytest.raises(ValueError, match=f"there is no column '{name}'; the columns are 'number', 'pixels'"):
        arrow.Predictor(model)(table)
    with pytest.raises(ValueError, match=f"the model has no input 'z'; its inputs are '{name}'"):
        arrow.Predictor(model, columns={"z": "pixels"})
    with pytest.raises(ValueError, match=f"the column '{result}' is to be kept, but a result has that name"):
        arrow.Predictor(model, keep=[result])


def test_rows_that_a_model_loses():
    class Halves:
        """Takes the place of a model."""
        inputs = outputs = tfrt.load(COLOURS).inputs

        def run(self, inputs):
            return {name: x[:1] for name, x in inputs.items()}

    predict = arrow.Predictor.__new__(arrow.Predictor)
    predict._model, predict._columns, predict._keep = Halves(), {"x": "x"}, []
    with pytest.raises(ValueError, match="the result 'x' has 1 rows for a batch of 2"):
        predict(pa.table({"x": [1.0, 2.0]}))


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", __file__]))
