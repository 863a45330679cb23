"""All functions of array-api-extra on tensors, beside array-api-strict and NumPy."""

import array_api_extra as xpx
import array_api_strict
import numpy as np
import pytest

import tfrt

MATRIX = np.random.default_rng(0).standard_normal((4, 5)).astype("f4")
ROW = MATRIX[0].copy()
INTEGERS = np.array([3, 1, 2, 1, 7])
POSITIVE = ROW > 0
WITH_NAN = np.array([np.nan, 1.0, np.inf, -2.0], "f4")


def at(change, *index, of=ROW):
    """The array with some items changed by xpx.at, which may work in place."""
    return lambda xp: change(xpx.at(xp.asarray(of.copy()),
                                    *(xp.asarray(i) if isinstance(i, np.ndarray) else i for i in index)))


CALLS = {
    "angle": [lambda xp: xpx.angle(xp.asarray(ROW))],
    "apply_where": [
        lambda xp: xpx.apply_where(xp.asarray(POSITIVE), xp.asarray(ROW), lambda x: x * 2, lambda x: x - 1),
        lambda xp: xpx.apply_where(xp.asarray(POSITIVE), (xp.asarray(ROW), xp.asarray(ROW)), lambda x, y: x * y,
                                   fill_value=7.0)],
    "argpartition": [lambda xp: xp.sort(xpx.argpartition(xp.asarray(ROW), 2)[:3])],
    "at": [
        at(lambda a: a.set(9.0), 1), at(lambda a: a.add(1.0), slice(1, 3)), at(lambda a: a.multiply(0.0), POSITIVE),
        at(lambda a: a.subtract(2.0), 0), at(lambda a: a.divide(2.0), 0), at(lambda a: a.power(2.0), 0),
        at(lambda a: a.set(3.0), POSITIVE), at(lambda a: a.set(0.0, copy=True), (0, slice(None, None, 2)), of=MATRIX)],
    "atleast_nd": [lambda xp: xpx.atleast_nd(xp.asarray(ROW), ndim=3)],
    "broadcast_shapes": [lambda xp: xpx.broadcast_shapes((2, 1), (3,))],
    "cov": [lambda xp: xpx.cov(xp.asarray(MATRIX)), lambda xp: xpx.cov(xp.asarray(MATRIX.astype("f8")))],
    "create_diagonal": [lambda xp: xpx.create_diagonal(xp.asarray(ROW)),
                        lambda xp: xpx.create_diagonal(xp.asarray(MATRIX), offset=-1)],
    "default_dtype": [lambda xp: xp.ones(2, dtype=xpx.default_dtype(xp, "indexing"))],
    "deg2rad": [lambda xp: xpx.deg2rad(xp.asarray(ROW))],
    "diag_indices": [lambda xp: xpx.diag_indices(3, ndim=2, xp=xp)],
    "expand_dims": [lambda xp: xpx.expand_dims(xp.asarray(MATRIX), axis=(0, 2))],
    "isclose": [lambda xp: xpx.isclose(xp.asarray(ROW), xp.asarray(ROW * np.float32(1.000001))),
                lambda xp: xpx.isclose(xp.asarray(WITH_NAN), xp.asarray(WITH_NAN), equal_nan=True),
                lambda xp: xpx.isclose(xp.asarray(INTEGERS), xp.asarray(INTEGERS + 1), rtol=0.3)],
    "isin": [lambda xp: xpx.isin(xp.asarray(INTEGERS), xp.asarray(np.array([1, 7])))],
    "kron": [lambda xp: xpx.kron(xp.asarray(MATRIX), xp.asarray(ROW))],
    "lazy_apply": [lambda xp: xpx.lazy_apply(lambda x: x + 1, xp.asarray(ROW), shape=(5,), dtype=xp.float32, xp=xp),
                   lambda xp: xpx.lazy_apply(np.sort, xp.asarray(ROW), as_numpy=True)],
    "nan_to_num": [lambda xp: xpx.nan_to_num(xp.asarray(WITH_NAN), fill_value=3.0)],
    "nanmax": [lambda xp: xpx.nanmax(xp.asarray(WITH_NAN))],
    "nanmean": [lambda xp: xpx.nanmean(xp.asarray(WITH_NAN))],
    "nanmin": [lambda xp: xpx.nanmin(xp.asarray(WITH_NAN), axis=0)],
    "nansum": [lambda xp: xpx.nansum(xp.asarray(WITH_NAN))],
    "nunique": [lambda xp: xpx.nunique(xp.asarray(INTEGERS))],
    "one_hot": [lambda xp: xpx.one_hot(xp.asarray(INTEGERS), 8, dtype=xp.float32)],
    "pad": [lambda xp: xpx.pad(xp.asarray(MATRIX), 1),
            lambda xp: xpx.pad(xp.asarray(MATRIX), ((1, 0), (0, 2)), constant_values=4.0)],
    "partition": [lambda xp: xp.sort(xpx.partition(xp.asarray(ROW), 2)[:3])],
    "rad2deg": [lambda xp: xpx.rad2deg(xp.asarray(ROW))],
    "searchsorted": [lambda xp: xpx.searchsorted(xp.asarray(np.sort(ROW)), xp.asarray(MATRIX[1]))],
    "setdiff1d": [lambda xp: xpx.setdiff1d(xp.asarray(INTEGERS), xp.asarray(np.array([1, 7])))],
    "sinc": [lambda xp: xpx.sinc(xp.asarray(ROW))],
    "tril_indices": [lambda xp: xpx.tril_indices(3, offset=1, m=4, xp=xp)],
    "triu_indices": [lambda xp: xpx.triu_indices(3, offset=-1, xp=xp)],
    "union1d": [lambda xp: xpx.union1d(xp.asarray(INTEGERS), xp.asarray(np.array([1, 9])))],
    "unravel_index": [lambda xp: xpx.unravel_index(xp.asarray(np.array([1, 7, 11])), (3, 4))],
}
# Whose results are of the default integer, which is i32 here.
OF_DEFAULT_INTEGERS = {"diag_indices", "nunique", "searchsorted", "tril_indices", "triu_indices", "unravel_index"}


def test_all_functions_are_called():
    functions = {name for name in xpx.__all__ if callable(getattr(xpx, name))}
    assert functions == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_function(name, assert_close):
    for call in CALLS[name]:
        found, expected = call(tfrt), call(array_api_strict)
        assert_close(found, expected)
        if name in OF_DEFAULT_INTEGERS:
            continue
        for mine, theirs in zip(*(each if isinstance(each, tuple) else (each,) for each in (found, expected))):
            if isinstance(mine, tfrt.Tensor):
                assert mine.dtype.numpy_name == np.asarray(theirs).dtype.name


@pytest.mark.parametrize("call, error", [
    (lambda: xpx.at(tfrt.ones(3))[5].set(1.0), IndexError), (lambda: xpx.pad(tfrt.ones(3), (-1, 0)), ValueError),
    (lambda: xpx.kron(tfrt.ones(3), "a"), TypeError), (lambda: xpx.expand_dims(tfrt.ones(3), axis=7), IndexError)])
def test_bad_input(call, error):
    with pytest.raises(error):
        call()
