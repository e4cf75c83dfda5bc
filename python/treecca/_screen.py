"""Feature screening: scores features by their dependence on the other views."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._parameters import as_seed, thread_number
from ._samples import per_sample
from ._views import Views, as_view, check_same_samples, is_single_table, named_tables


def screen(
    views: Views,
    *,
    n_permutations: int = 99,
    sample_weight: Any = None,
    random_state: int | np.random.Generator | np.random.RandomState | None = None,
    n_jobs: int | None = None,
) -> list[dict[str, NDArray[Any]]]:
    """Score every feature by its best partner among the features of the other views.

    Features are cut into up to six bins of about equal counts, and a pair is scored by the chi-square statistic of its
    contingency table: nonlinear relations count too. Signals that exist only in interactions of features are missed.

    Parameters
    ----------
    views : list of tables, mapping of name -> table, or MuData
        As in :meth:`TreeCCA.fit`.
    n_permutations : int, default=99
        Number of permutations for the p-values. 0: no p-values.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample; p-values are then approximate.
    random_state : int, NumPy generator or None, default=None
        Seed of the permutations.
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    list of dict of ndarray
        Per view one row per feature, ready for `pandas.DataFrame`: "feature", "score" (a standard normal deviate; 0
        if undefined), "p_value", "partner_view" and "partner". `p_value` is the probability that the best of *all*
        features scores as high when the views are independent: it needs no further correction. Samples are assumed to
        be independent.

    Examples
    --------
    >>> import numpy as np
    >>> import treecca
    >>> rng = np.random.default_rng(0)
    >>> X1, X2 = rng.normal(size=(2, 200, 30))
    >>> X2[:, 7] = np.abs(X1[:, 3]) + 0.3 * rng.normal(size=200)
    >>> scores = treecca.screen([X1, X2], random_state=0)
    >>> int(scores[0]["score"].argmax()), scores[0]["partner"][3], float(scores[0]["p_value"][3])
    (3, 'f7', 0.01)
    """
    if is_single_table(views):
        raise ValueError(f"Expected several views (a list or a mapping), got one table of type {type(views).__name__}.")
    checked = [as_view(name, table, min_samples=_core.min_samples) for name, table in named_tables(views).items()]
    if len(checked) < 2:
        raise ValueError(f"Screening needs at least two views, got {len(checked)}.")
    check_same_samples(checked)
    _, weights = per_sample(checked, None, sample_weight)
    if isinstance(n_permutations, (bool, np.bool_)) or not isinstance(n_permutations, numbers.Integral):
        raise ValueError(f"n_permutations must be an integer, not {n_permutations!r}.")
    inputs = [v.for_core() for v in checked]
    found = _core.screen(inputs, int(n_permutations), weights, as_seed(random_state), thread_number(n_jobs))
    names = [v.feature_names or _core.generated_names(v.values.shape[1]) for v in checked]
    return [named_scores(scores, view, [v.name for v in checked], names) for view, scores in enumerate(found)]


def named_scores(
    scores: dict[str, NDArray[Any]], view: int, view_names: list[str], feature_names: list[list[str]]
) -> dict[str, NDArray[Any]]:
    """The scores with names instead of view and feature numbers; other entries are unchanged."""
    if len(scores["score"]) == 0:
        return scores
    partners = [
        (view_names[other], feature_names[other][feature]) if other >= 0 else ("", "")
        for other, feature in zip(scores["partner_view"].tolist(), scores["partner"].tolist(), strict=True)
    ]
    named = {"feature": np.asarray(feature_names[view], dtype=object), **scores}
    named["partner_view"] = np.asarray([name for name, _ in partners], dtype=object)
    named["partner"] = np.asarray([name for _, name in partners], dtype=object)
    if len(named["p_value"]) == 0:
        del named["p_value"]
    return named


def screening_of(
    model: _core.Model, view: int, view_names: list[str], feature_names: list[list[str]]
) -> dict[str, NDArray[Any]] | None:
    """Result of feature screening for a view of a model; None if it was not used."""
    found = model.screening(view)
    if found is None:
        return None
    found["kept"] = found["kept"].astype(bool)
    return named_scores(found, view, view_names, feature_names)
