"""Data analysis with scikit-learn on tensors: 178 wines of three growers, each with 13 measurements.

usage: python examples/python/wines.py

Statistics of groups by masks, standardised measurements, principal components, a classifier, and how good it is.
scikit-learn gets tensors and gives tensors.
"""

import os

os.environ["SCIPY_ARRAY_API"] = "1"  # before SciPy is imported

import sklearn
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, r2_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

import tfrt


def check(found, expected, tolerance=5e-4):
    """Figures are those that NumPy and scikit-learn give without tfrt."""
    difference = tfrt.max(tfrt.abs(tfrt.asarray(found, dtype="f64") - tfrt.asarray(expected, dtype="f64"))).item()
    assert difference <= tolerance, f"{found} is not {expected}"


def describe(measures, growers, names):
    """The means and deviations of each grower's wines, and the wines that are far from their grower's mean."""
    print(f"{'grower':>8} {'wines':>6} {'alcohol':>15} {'proline':>15}")
    columns = [names.index("alcohol"), names.index("proline")]
    counts, means, outliers = [], [], 0
    for grower in range(3):
        own = measures[growers == grower]
        mean, deviation = tfrt.mean(own, axis=0), tfrt.std(own, axis=0, correction=1)
        far = tfrt.any(tfrt.abs(own - mean) > 3 * deviation, axis=1)
        outliers += int(tfrt.count_nonzero(far))
        counts.append(own.shape[0])
        means.append(mean[columns])
        print(f"{grower:>8} {own.shape[0]:>6}" + "".join(f" {mean[i]:8.2f} ±{deviation[i]:5.1f}" for i in columns))
    print(f"{outliers} wines have a measurement more than three deviations from their grower's mean\n")
    check(counts, [59, 71, 48])
    check(tfrt.stack(means), [[13.7447, 1115.7119], [12.2787, 519.5070], [13.1538, 629.8958]])
    assert outliers == 9


def components(measures):
    """The measurements in two directions, in which they differ most."""
    pca = PCA(n_components=2, svd_solver="full")
    places = pca.fit_transform(StandardScaler().fit_transform(measures))
    assert isinstance(places, tfrt.Tensor) and isinstance(pca.explained_variance_ratio_, tfrt.Tensor)
    first, second = pca.explained_variance_ratio_
    print(f"two components explain {first:.1%} and {second:.1%} of the variance")
    check(pca.explained_variance_ratio_, [0.3620, 0.1921])
    return places


def classify(measures, growers):
    """The growers of wines that the classifier has not seen."""
    known, unknown, of_known, of_unknown = train_test_split(measures, growers, test_size=0.4, random_state=0,
                                                            stratify=growers)
    scaler = StandardScaler().fit(known)
    model = LinearDiscriminantAnalysis().fit(scaler.transform(known), of_known)
    guessed = model.predict(scaler.transform(unknown))
    accuracy, matrix = accuracy_score(of_unknown, guessed), confusion_matrix(of_unknown, guessed)
    print(f"the growers of {unknown.shape[0]} other wines: {accuracy:.1%} are right\n{matrix}")
    sure = tfrt.max(model.predict_proba(scaler.transform(unknown)), axis=1) > 0.99
    share, of_these = tfrt.mean(sure), tfrt.mean((guessed == of_unknown)[sure])
    print(f"{share:.1%} of the answers are sure, and of these {of_these:.1%} are right\n")
    check(matrix, [[24, 0, 0], [0, 29, 0], [0, 1, 18]])
    check([accuracy, f1_score(of_unknown, guessed, average="macro")], [0.9861, 0.9853])
    check([share.item(), of_these.item()], [0.8750, 0.9841])


def regress(measures, names):
    """The colour's intensity, from all other measurements."""
    column = names.index("color_intensity")
    others = tfrt.concat([measures[:, :column], measures[:, column + 1:]], axis=1)
    scaled = StandardScaler().fit_transform(others)
    model = Ridge(alpha=1.0, solver="svd").fit(scaled, measures[:, column])
    score = r2_score(measures[:, column], model.predict(scaled))
    strongest = [name for name in names if name != "color_intensity"][tfrt.argmax(tfrt.abs(model.coef_)).item()]
    print(f"other measurements explain {score:.1%} of the colour's intensity, most of all {strongest}")
    check(score, 0.6695)
    assert strongest == "od280/od315_of_diluted_wines"


def main():
    data = load_wine()
    measures, growers = tfrt.asarray(data.data), tfrt.asarray(data.target)
    names = list(data.feature_names)
    describe(measures, growers, names)
    with sklearn.config_context(array_api_dispatch=True):
        places = components(measures)
        apart = tfrt.stack([tfrt.mean(places[growers == grower], axis=0) for grower in range(3)])
        check(tfrt.abs(apart), [[2.2827, 0.9679], [0.0390, 1.6435], [2.7482, 1.2413]])
        print(f"the growers' means in them:\n{apart}\n")
        classify(measures, growers)
        regress(measures, names)


if __name__ == "__main__":
    main()
