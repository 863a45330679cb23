"""Estimators and metrics of scikit-learn's list for arrays of the standard, on tensors and on NumPy's arrays."""

import numpy as np
import pytest
import sklearn
from sklearn import datasets, decomposition, kernel_approximation, linear_model, metrics, model_selection, preprocessing
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import pairwise
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import GaussianNB

import tfrt

MEASURES, CLASSES = datasets.load_wine(return_X_y=True)
MEASURES = (MEASURES - MEASURES.mean(0)) / MEASURES.std(0)


def targets(x):
    """Numbers to be predicted: of one wine more than of another."""
    return x[:, 0] * 2.0 - x[:, 3] + 0.5


def lda(x, y):
    model = LinearDiscriminantAnalysis(solver="svd").fit(x, y)
    return abs(model.transform(x)), model.predict(x), model.predict_proba(x)  # the signs of directions are arbitrary


def naive_bayes(x, y):
    model = GaussianNB().fit(x, y)
    return model.predict(x), model.predict_proba(x)


def logistic_regression(x, y):
    model = linear_model.LogisticRegression().fit(x, y)
    return model.coef_, model.predict(x), model.predict_proba(x)


def mixture(x, y):
    # scikit-learn adds reg_covar to slices in place, which are no views in tfrt.
    model = GaussianMixture(3, init_params="random", random_state=0, reg_covar=0.0, max_iter=20, tol=0.0).fit(x)
    return model.means_, model.weights_, model.predict(x)


ESTIMATORS = {
    "Binarizer": lambda x, y: preprocessing.Binarizer().fit_transform(x),
    "GaussianMixture": mixture,
    "GaussianNB": naive_bayes,
    "KernelCenterer": lambda x, y: preprocessing.KernelCenterer().fit_transform(x @ x.T),
    "LabelBinarizer": lambda x, y: preprocessing.LabelBinarizer().fit_transform(y),
    "LabelEncoder": lambda x, y: preprocessing.LabelEncoder().fit_transform(y),
    "LinearDiscriminantAnalysis": lda,
    "LinearRegression": lambda x, y: linear_model.LinearRegression().fit(x, targets(x)).predict(x),
    "LogisticRegression": logistic_regression,
    "MaxAbsScaler": lambda x, y: preprocessing.MaxAbsScaler().fit_transform(x),
    "MinMaxScaler": lambda x, y: preprocessing.MinMaxScaler().fit_transform(x),
    "Normalizer": lambda x, y: preprocessing.Normalizer().fit_transform(x),
    "Nystroem": lambda x, y: kernel_approximation.Nystroem(n_components=20, random_state=0).fit_transform(x),
    "PCA": lambda x, y: decomposition.PCA(4, svd_solver="full").fit_transform(x),
    "PCA, randomized": lambda x, y: decomposition.PCA(4, svd_solver="randomized", power_iteration_normalizer="QR",
                                                      random_state=0).fit_transform(x),
    "PCA, whitened": lambda x, y: decomposition.PCA(4, svd_solver="covariance_eigh", whiten=True).fit_transform(x),
    "PolynomialFeatures": lambda x, y: preprocessing.PolynomialFeatures().fit_transform(x),
    "Ridge": lambda x, y: linear_model.Ridge(solver="svd").fit(x, targets(x)).predict(x),
    "RidgeCV": lambda x, y: linear_model.RidgeCV().fit(x, targets(x)).predict(x),
    "RidgeClassifier": lambda x, y: linear_model.RidgeClassifier(solver="svd").fit(x, y).predict(x),
    "StandardScaler": lambda x, y: preprocessing.StandardScaler().fit_transform(x),
    "cross_val_predict": lambda x, y: model_selection.cross_val_predict(LinearDiscriminantAnalysis(), x, y),
    "train_test_split": lambda x, y: model_selection.train_test_split(x, y, random_state=0, stratify=y),
}


def both(function, dtype):
    """The results of a function for tensors, and for NumPy's arrays."""
    x = MEASURES.astype(dtype)
    with sklearn.config_context(array_api_dispatch=True):
        return function(tfrt.asarray(x), tfrt.asarray(CLASSES)), function(x, CLASSES)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimator(name, dtype, assert_close):
    found, expected = both(ESTIMATORS[name], dtype)
    assert_close(found, expected)
    first = found[0] if isinstance(found, (tuple, list)) else found
    assert first.dtype in (tfrt.i64, tfrt.DType(dtype)), "of the dtype of the features"


def turned(y):
    """Other classes: those of the wines in reverse order."""
    return tfrt.flip(y) if isinstance(y, tfrt.Tensor) else np.flip(y)


OF_CLASSES = {
    "accuracy_score": {}, "balanced_accuracy_score": {}, "confusion_matrix": {}, "hamming_loss": {},
    "zero_one_loss": {}, "f1_score": {"average": "macro"}, "fbeta_score": {"average": "macro", "beta": 0.5},
    "jaccard_score": {"average": "macro"}, "multilabel_confusion_matrix": {}, "precision_recall_fscore_support": {},
    "precision_score": {"average": "macro"},
    "recall_score": {"average": "micro"},
}
OF_NUMBERS = ["d2_absolute_error_score", "d2_pinball_score", "d2_tweedie_score", "explained_variance_score",
              "max_error", "mean_absolute_error", "mean_absolute_percentage_error", "mean_gamma_deviance",
              "mean_pinball_loss", "mean_poisson_deviance", "mean_squared_error", "mean_squared_log_error",
              "mean_tweedie_deviance", "median_absolute_error", "r2_score", "root_mean_squared_error",
              "root_mean_squared_log_error"]
OF_SCORES = ["average_precision_score", "brier_score_loss", "det_curve", "log_loss", "precision_recall_curve",
             "roc_auc_score", "roc_curve"]
OF_PAIRS = ["additive_chi2_kernel", "chi2_kernel", "cosine_distances", "cosine_similarity", "euclidean_distances",
            "laplacian_kernel", "linear_kernel", "manhattan_distances", "paired_cosine_distances",
            "paired_euclidean_distances", "polynomial_kernel", "rbf_kernel", "sigmoid_kernel"]


@pytest.mark.parametrize("name", OF_CLASSES)
def test_metric_of_classes(name, assert_close):
    assert_close(*both(lambda x, y: getattr(metrics, name)(y, turned(y), **OF_CLASSES[name]), "f8"))


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_metric_of_numbers(name, assert_close):
    for dtype in ("f4", "f8"):
        assert_close(*both(lambda x, y: getattr(metrics, name)(abs(x[:, 0]) + 1, abs(x[:, 1]) + 2), dtype))


@pytest.mark.parametrize("name", OF_SCORES)
def test_metric_of_scores(name, assert_close):
    assert_close(*both(lambda x, y: getattr(metrics, name)(y == 1, 1 / (1 + np.exp(-x[:, 0]))), "f8"))


@pytest.mark.parametrize("name", OF_PAIRS)
def test_metric_of_pairs(name, assert_close):
    for dtype in ("f4", "f8"):
        assert_close(*both(lambda x, y: getattr(pairwise, name)(abs(x[:60]), abs(x[60:120])), dtype))


def test_without_dispatch_arrays_are_those_of_numpy():
    assert isinstance(preprocessing.StandardScaler().fit_transform(tfrt.asarray(MEASURES)), np.ndarray)
