"""The tasks that units run: functions of plain arguments that return plain results.

joblib.Memory drops all results of a task whose code changes here, comments included. Optional packages are imported
inside, so that a missing one costs only its rows of the tables.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .methods import METHODS, Embedded
from .protocol import judge, load
from .unit import Refused

_PROBES = 12  # rounds of a TreeCCA-SSL curve at which a probe is fitted


def _embedded(arguments: dict[str, Any], data: Any, extras: list[str]) -> Embedded:
    return METHODS[arguments["method"]].embed(data, arguments["seed"], arguments["settings"], extras)


def _data(arguments: dict[str, Any]) -> Any:
    return load(arguments["data"], arguments["seed"], arguments["options"], arguments["max_rows"])


def compare(**arguments: Any) -> dict[str, Any]:
    """All scores of one method on one data set, or {"refused": its error}."""
    METHODS[arguments["method"]].require()  # before the data: a row without its package has one reason, data or not
    data = _data(arguments)
    try:
        embedded = _embedded(arguments, data, arguments["extras"])
    except Refused as reason:
        return {"refused": str(reason)}
    result = judge(data, embedded.train, embedded.test, rotate=not embedded.rotated, unseen=embedded.unseen)
    return result | embedded.scores | {"seconds": embedded.seconds, "test_rows": len(embedded.test[0]), "k": data.k}


def tsne(**arguments: Any) -> dict[str, Any]:
    """t-SNE of the test embeddings, views concatenated."""
    from sklearn.manifold import TSNE

    data = _data(arguments)
    embedded = _embedded(arguments, data, [])
    joined = np.hstack([z / np.maximum(z.std(axis=0), 1e-12) for z in embedded.test])
    rows = len(joined)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a degenerate embedding shows in the plot
        plane = TSNE(2, perplexity=min(30, (rows - 1) / 4), random_state=42, init="random").fit_transform(joined)
    return {"points": np.round(plane, 2).tolist(), "labels": [int(c) for c in data.test_labels]}


def self_supervised(**arguments: Any) -> dict[str, Any]:
    """TreeCCA-SSL on the sign-interaction set: accuracy of a linear probe without augmentation, also by round.

    `fitted_to`: "all samples" (without their labels, which only the probe sees), or "training samples".
    """
    import json

    from treecca import TreeCCASSL

    from ..metrics import probe_accuracy
    from ..walker import embeddings_by_round

    data = _data(arguments)
    model = TreeCCASSL(
        data.k, augmentation={"sign_flip": True, "noise": 0.2}, random_state=arguments["seed"], **arguments["settings"]
    )
    both = np.vstack([data.views[0], data.test_views[0]])
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model.fit(data.views[0] if arguments["fitted_to"] == "training samples" else both)
    seconds = time.perf_counter() - start
    seen, new = (model.transform(part) for part in (data.views[0], data.test_views[0]))
    factor = np.bincount(np.arange(data.views[0].shape[1]) % 6, weights=model.feature_importances_, minlength=6)
    result = {
        "accuracy": probe_accuracy([seen], data.labels, [new], data.test_labels),
        "loss": model.history_["loss"].tolist(),
        "factor_importances": factor.tolist(),
        "seconds": seconds,
        "rounds": model.n_iter_,
    }
    if arguments["curve"]:
        probed = set(np.unique(np.linspace(1, model.n_iter_, _PROBES).astype(int)).tolist())
        content = json.loads(model.model_.to_bytes("json"))
        rotation = model.model_.rotation(0)  # of the last round, so the curve lacks the components that it drops
        result |= {"curve_rounds": sorted(probed), "curve": []}
        for number, (z,) in enumerate(embeddings_by_round(content, [both]), 1):
            if number in probed:
                seen, new = np.split(z @ rotation, [data.n_samples])
                result["curve"].append(probe_accuracy([seen], data.labels, [new], data.test_labels))
    return result


def oracles(**arguments: Any) -> dict[str, Any]:
    """Reference methods on the sign-interaction set: accuracy of the same probe; covariance of X.

    PCA is fitted to all samples (it uses no labels), and again to the training samples only.
    """
    from sklearn.decomposition import PCA

    from ..metrics import probe_accuracy

    data = _data(arguments)
    x, y = data.views[0], data.test_views[0]
    latent = [int(name[1 : name.index("*")]) - 1 for name in data.feature_names[0]]
    first = [latent.index(k) for k in range(6)]  # |x| of these features is |z| up to scale

    def probe(seen: np.ndarray, new: np.ndarray) -> float | None:
        return probe_accuracy([seen], data.labels, [new], data.test_labels)

    reduced = {}
    for name, magnitude in (("PCA(X)", np.asarray), ("PCA(|X|)", np.abs)):
        for rows, fitted_to in ((np.vstack([x, y]), "all samples"), (x, "training samples")):
            pca = PCA(data.k, random_state=0).fit(magnitude(rows))
            reduced[f"{name}, {fitted_to}"] = probe(pca.transform(magnitude(x)), pca.transform(magnitude(y)))
    values = np.linalg.eigvalsh(np.cov(x.T))[::-1]
    correlation = np.abs(np.corrcoef(x.T))
    np.fill_diagonal(correlation, 0)
    return {
        **reduced,
        "|X|": probe(np.abs(x), np.abs(y)),
        "|Z|": probe(np.abs(x[:, first]), np.abs(y[:, first])),
        "eigenvalues": values.tolist(),
        "rank": int((values > 1e-6 * values[0]).sum()),
        "equal_pairs": int((correlation > 0.999).sum() // 2),
        "largest_correlation": float(correlation[correlation < 0.999].max()),
    }


def collapse(**arguments: Any) -> dict[str, Any]:
    """Alternating least squares with trees."""
    from .baselines.alternating import collapse as run

    return run(_data(arguments), arguments["seed"], arguments["iterations"], arguments["trees"])


def pace(**arguments: Any) -> dict[str, Any]:
    """Seconds of whole fits by number of rounds: shows whether later rounds cost more."""
    data = _data(arguments)
    method = METHODS[arguments["method"]]
    seconds = []
    for rounds in arguments["rounds"]:
        settings = {**arguments["settings"], "n_estimators": rounds}
        seconds.append(min(method.embed(data, 0, settings, []).seconds for _ in range(arguments["repeats"])))
    return {"rounds": arguments["rounds"], "seconds": seconds}


TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    "compare": compare,
    "tsne": tsne,
    "self_supervised": self_supervised,
    "oracles": oracles,
    "collapse": collapse,
    "pace": pace,
}
