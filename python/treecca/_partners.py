"""Related features of different views, as tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

Table = dict[str, NDArray[Any]]


def feature_number(feature: Any, names: list[str], view: str) -> int:
    """The position of a feature, given by name or by number. ValueError if the view has no such feature."""
    if isinstance(feature, str):
        if feature not in names:
            raise ValueError(f'view "{view}" has no feature "{feature}".')
        return names.index(feature)
    if not 0 <= feature < len(names):
        raise ValueError(f'view "{view}" has features 0 to {len(names) - 1}, not {feature}.')
    return int(feature)


def top_features(model: Any, view: int, component: int | None, most: int) -> list[int]:
    """The most important features of a view with any importance, best first."""
    importances = (
        model.feature_importances_per_view_[view]
        if component is None
        else model.component_importances_[view][component]
    )
    order = np.argsort(-importances, kind="stable")[: max(0, most)]
    return [int(j) for j in order if importances[j] > 0]


def shown_component(component: int | None) -> int:
    """The component as the core takes it: -1 for all together."""
    return -1 if component is None else component


def partner_table(model: Any, view: int, features: list[int], component: int | None, most: int) -> Table:
    """One row per feature and partner, strongest partners first."""
    rows = model.model_.partners(view, features, most, shown_component(component))
    names = model.feature_names_per_view_

    def texts(values: list[str]) -> NDArray[Any]:
        return np.asarray(values, dtype=object)

    return {
        "feature": texts([names[view][row[0]] for row in rows]),
        "partner_view": texts([model.view_names_[row[1]] for row in rows]),
        "partner": texts([names[row[1]][row[2]] for row in rows]),
        "strength": np.asarray([row[3] for row in rows], dtype=float),
        "correlation": np.asarray([row[4] for row in rows], dtype=float),
        "component": np.asarray([row[5] for row in rows], dtype=int),
    }


class PartnersMixin:
    """`partners`, for models of two or more views."""

    def partners(
        self: Any,
        view: int | str | None = None,
        component: int | None = None,
        features: Any = None,
        n_features: int = 5,
        n_partners: int = 5,
    ) -> dict[str, Any]:
        """Return the features of other views that are related to a feature through the components.

        {"feature", "partner_view", "partner", "strength": 0 to 1, of a relation of any form, "correlation": its linear
        part, signed, "component": the component that contributes most, counted from 0}: a dictionary of equally long
        arrays, strongest partners first, as ``pandas.DataFrame`` takes it.

        The contribution of a component is a product: the dependence of one variate on the feature, the dependence of
        the other variate on the partner, and the out-of-fold correlation of the two views. For "correlation" the
        dependences are the loadings, and contributions add up. For "strength" a dependence is the square root of the
        importance, or the absolute loading if that is higher, and the highest contribution counts. So a feature whose
        square is related to another has a strength but no correlation. Without trees (linear=1) the strength is the
        absolute correlation. No data are needed.

        Parameters
        ----------
        view : int or str, default=None
            None takes all views, one after the other, and adds their names: "view".
        component : int, default=None
            Counted from 0; None takes all components together.
        features : list of str or int, default=None
            Features of `view`; None takes the `n_features` most important ones.
        n_features, n_partners : int
            Maximum number of features per view, and of partners per feature.
        """
        check_is_fitted(self, "model_")
        if view is None and features is not None:
            raise ValueError("features belong to a view: say which, e.g. view=0.")
        k = None if component is None else self._component_number(component)
        if view is None:
            tables = [self.partners(name, k, None, n_features, n_partners) for name in self.view_names_]
            names = np.repeat(np.asarray(self.view_names_, dtype=object), [len(one["feature"]) for one in tables])
            return {"view": names} | {key: np.concatenate([one[key] for one in tables]) for key in tables[0]}
        number = self._view_number(view)
        if features is None:
            chosen = top_features(self, number, k, n_features)
        else:
            known = self.feature_names_per_view_[number]
            chosen = [feature_number(feature, known, self.view_names_[number]) for feature in features]
        return partner_table(self, number, chosen, k, n_partners)
