"""Functions of einops on tensors: by its functions for the standard, and by tfrt's backend, beside NumPy."""

import os

import einops
import einops.array_api
import numpy as np
import pytest

import tfrt
import tfrt.integrations.einops  # the backend

IMAGES = np.arange(2 * 4 * 6 * 3, dtype="f4").reshape(2, 4, 6, 3)
REARRANGED = [
    ("b h w c -> b (c h w)", {}), ("b h w c -> (b h) w c", {}),
    ("b (h h2) (w w2) c -> b h w (c h2 w2)", {"h2": 2, "w2": 2}), ("b h w c -> c w h b", {}),
    ("(b1 b2) ... -> b1 b2 ...", {"b1": 2}), ("b h w c -> b () h w c", {})]
REDUCED = [("b h w c -> b c", {}), ("b (h h2) (w w2) c -> h w c", {"h2": 2, "w2": 3}), ("b h w c -> ", {}),
           ("b ... -> b 1 1 1", {})]
REPEATED = [("b h w c -> b h 2 w c", {}), ("b h w c -> (b r) h w c", {"r": 3}), ("b h w c -> b (h 2) (w 2) c", {})]


@pytest.mark.parametrize("module", [einops.array_api, einops], ids=["array_api", "backend"])
def test_patterns(module, assert_close):
    x = tfrt.asarray(IMAGES)
    for pattern, sizes in REARRANGED:
        assert_close(module.rearrange(x, pattern, **sizes), einops.rearrange(IMAGES, pattern, **sizes))
    for pattern, sizes in REDUCED:
        for reduction in ("mean", "sum", "max", "min"):
            assert_close(module.reduce(x, pattern, reduction, **sizes),
                         einops.reduce(IMAGES, pattern, reduction, **sizes))
        assert_close(module.reduce(x / 72, pattern, "prod", **sizes),
                     einops.reduce(IMAGES / 72, pattern, "prod", **sizes))
    for pattern, sizes in REPEATED:
        assert_close(module.repeat(x, pattern, **sizes), einops.repeat(IMAGES, pattern, **sizes))
    assert_close(module.rearrange([x, x], "n b h w c -> b h (n w) c"),
                 einops.rearrange([IMAGES, IMAGES], "n b h w c -> b h (n w) c"))
    assert isinstance(module.asnumpy(x), np.ndarray) and (module.asnumpy(x) == IMAGES).all()


@pytest.mark.parametrize("module", [einops.array_api, einops], ids=["array_api", "backend"])
def test_packs(module, assert_close):
    arrays = [np.zeros((2, 3), "f4"), np.ones((2, 2, 3), "f4"), np.ones((2, 5, 1, 3), "f4")]
    packed, shapes = module.pack([tfrt.asarray(each) for each in arrays], "b * c")
    expected, expected_shapes = einops.pack(arrays, "b * c")
    assert_close(packed, expected)
    assert [tuple(each) for each in shapes] == [tuple(each) for each in expected_shapes]
    assert_close(module.unpack(packed, shapes, "b * c"), arrays)


def test_backend_alone(assert_close):
    """Functions that einops has by backends only."""
    x, weights = tfrt.asarray(IMAGES), np.arange(15, dtype="f4").reshape(3, 5)
    assert_close(einops.einsum(x, tfrt.asarray(weights), "b h w c, c d -> b h w d"),
                 einops.einsum(IMAGES, weights, "b h w c, c d -> b h w d"))
    assert einops.parse_shape(x, "b h w _") == {"b": 2, "h": 4, "w": 6}
    assert_close(einops.reduce(x > 70, "b h w c -> b", "any"), einops.reduce(IMAGES > 70, "b h w c -> b", "any"))
    assert einops.rearrange(tfrt.Variable([[1.0, 2.0]]), "a b -> b a").tolist() == [[1.0], [2.0]]


def test_traced():
    if "TFRT_COMPILER_LIBRARY" not in os.environ:
        pytest.skip("needs the compiler library")

    @tfrt.function
    def mean_of_patches(x):
        return einops.reduce(x, "b (h h2) (w w2) c -> b (h w) c", "mean", h2=2, w2=2)

    expected = einops.reduce(IMAGES, "b (h h2) (w w2) c -> b (h w) c", "mean", h2=2, w2=2)
    np.testing.assert_allclose(mean_of_patches(IMAGES).numpy(), expected, rtol=1e-6)
    slopes = tfrt.grad(lambda x: einops.reduce(x * x, "b h w c -> ", "sum"))(IMAGES)
    np.testing.assert_allclose(slopes.numpy(), 2 * IMAGES, rtol=1e-6)


@pytest.mark.parametrize("module", [einops.array_api, einops], ids=["array_api", "backend"])
def test_bad_input(module):
    x = tfrt.asarray(IMAGES)
    with pytest.raises(einops.EinopsError, match="can't divide axis of length 4 in chunks of 3"):
        module.rearrange(x, "b (h h2) w c -> b h h2 w c", h2=3)
    with pytest.raises(einops.EinopsError):
        module.rearrange(x, "b h w -> b h w")


def test_means_are_of_floats():
    with pytest.raises(NotImplementedError, match="reduce_mean is not available for non-floating tensors"):
        einops.reduce(tfrt.asarray([[1, 2]]), "a b -> a", "mean")
