"""The same call by NumPy, by tfrt, and by other namespaces."""

import os

os.environ["SCIPY_ARRAY_API"] = "1"  # which SciPy reads when it is imported

import numpy as np
import pytest

import tfrt


def leaves(results):
    """The arrays and numbers of a result that may be a tuple, a list, or one of them."""
    if isinstance(results, (tuple, list)):
        return [leaf for each in results for leaf in leaves(each)]
    return [results]


@pytest.fixture(scope="session")
def assert_close():
    """Results of tfrt have the shapes of the expected ones, and elements within a share of the larger of 1 and
    these."""

    def compare(results, expected, tolerance=1e-5):
        results, expected = leaves(results), leaves(expected)
        assert len(results) == len(expected)
        for found, wanted in zip(results, expected):
            wanted = np.asarray(wanted)
            if wanted.ndim:
                assert isinstance(found, tfrt.Tensor), type(found)
            np.testing.assert_allclose(np.asarray(found), wanted, rtol=tolerance, atol=tolerance)
            assert np.shape(found) == wanted.shape

    return compare
