"""Elements without those that repeat, beside NumPy's."""

import numpy as np
import pytest

import tfrt
from compare_arrays import ALL, FLOATS, HAS_COMPILER, assert_same, elements


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("shape", [(), (0,), (4, 5), (2, 0), (3, 1, 2)])
def test_elements_that_differ(dtype, shape):
    array = elements(shape, dtype)
    x = tfrt.tensor(array)
    values, indices, inverse, counts = np.unique_all(array)
    result = tfrt.unique_all(x)
    assert result._fields == ("values", "indices", "inverse_indices", "counts")
    assert_same(result, [values, indices, inverse, counts])
    assert [each.dtype for each in result] == [x.dtype, tfrt.i64, tfrt.i64, tfrt.i64]
    assert_same(tfrt.unique_values(x), values)
    assert tfrt.unique_values(x).dtype == x.dtype
    counted = tfrt.unique_counts(x)
    assert counted._fields == ("values", "counts") and counted.counts.dtype == tfrt.i64
    assert_same(counted, [values, counts])
    inverted = tfrt.unique_inverse(x)
    assert inverted._fields == ("values", "inverse_indices") and inverted.inverse_indices.dtype == tfrt.i64
    assert_same(inverted, [values, inverse])


@pytest.mark.parametrize("dtype", FLOATS)
def test_each_nan_is_another_element(dtype):
    array = np.array([2, np.nan, -0.0, np.inf, np.nan, 0.0, 2, -np.inf], dtype)
    values, indices, inverse, counts = tfrt.unique_all(array)
    assert_same(values, np.array([-np.inf, 0, 2, np.inf, np.nan, np.nan]))
    assert indices.tolist() == [7, 2, 0, 3, 1, 4] and counts.tolist() == [1, 2, 2, 1, 1, 1]
    assert inverse.tolist() == [2, 4, 1, 3, 5, 1, 2, 0]
    assert tfrt.unique_counts(array).counts.tolist() == counts.tolist()
    assert tfrt.unique_values(array).size == 6


@pytest.mark.parametrize("dtype", ALL)
def test_as_numpy_calls_it(dtype):
    array = elements((4, 5), dtype)
    assert_same(tfrt.unique(array), np.unique(array))
    results = tfrt.unique(array, return_index=True, return_inverse=True, return_counts=True)
    assert_same(list(results), list(np.unique(array, True, True, True)))
    assert_same(list(tfrt.unique(array, return_counts=True)), list(np.unique(array, return_counts=True)))
    rows = np.concatenate([array, array[:2]])
    assert_same(tfrt.unique(rows, axis=0), np.unique(rows, axis=0))
    assert tfrt.unique([float("nan"), float("nan")]).size == 1


@pytest.mark.parametrize("dtype", ALL)
def test_elements_of_another_array(dtype):
    array, other = elements((3, 4), dtype), elements((5,), dtype, 1)[:3]
    for invert in (False, True):
        assert_same(tfrt.isin(array, other, invert=invert), np.isin(array, other, invert=invert))
        assert_same(tfrt.isin(array, other[:0], invert=invert), np.isin(array, other[:0], invert=invert))
        assert_same(tfrt.isin(array[:0], other, invert=invert), np.isin(array[:0], other, invert=invert))
    assert tfrt.isin([1.0, float("nan")], [float("nan"), 1.0]).tolist() == [True, False]
    assert tfrt.isin([1, 2, 3], 2).tolist() == [False, True, False]


@pytest.mark.skipif(not HAS_COMPILER, reason="needs the compiler library")
@pytest.mark.parametrize("signature", [None, [tfrt.TensorSpec("f32", [None])]])
def test_traced(signature):
    array = elements((30,), "f4") / 2

    def body(x):
        values = tfrt.unique_values(x)
        return (tfrt.unique_all(x), tfrt.unique_counts(x), tfrt.unique_inverse(x), values, values.sum(),
                tfrt.isin(x, [0.5, -1.0]))

    function = tfrt.function(body, input_signature=signature) if signature else tfrt.function(body)
    unique = np.unique_all(array)
    assert_same(function(array), [*unique, *np.unique_counts(array), *np.unique_inverse(array), unique[0],
                                  unique[0].sum(),
                                  np.isin(array, [0.5, -1.0])])
    assert_same(tfrt.function(lambda x: tfrt.unique_all(x))(np.arange(6).reshape(2, 3) // 2),
                np.unique_all(np.arange(6).reshape(2, 3) // 2))
