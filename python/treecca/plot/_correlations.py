from __future__ import annotations

from typing import Any

import numpy as np

from ._display import IN_SAMPLE, LINEAR, OUT_OF_FOLD, Display, fitted


class CorrelationsDisplay(Display):
    """Canonical correlations per component: out of fold (with 95 % intervals), in sample, and linear CCA.

    A black dash is the noise threshold of a component: one whose out-of-fold correlation is below it is not
    distinguishable from noise.
    """

    @classmethod
    def from_estimator(cls, model: Any, *, ax: Any = None) -> CorrelationsDisplay:
        model = fitted(model)
        k = model.model_.n_components
        thresholds = model.model_.correlations["noise_thresholds"]
        return cls(
            {
                "component": np.arange(1, k + 1),
                "out_of_fold": model.correlations_,
                "standard_error": model.standard_errors_,
                "low": model.correlation_intervals_[:, 0],
                "high": model.correlation_intervals_[:, 1],
                "noise_threshold": thresholds if len(thresholds) else np.full(k, np.nan),
                "found": model.found_,
                "in_sample": model.train_correlations_,
                "linear_out_of_fold": model.linear_correlations_,
                "linear_in_sample": model.linear_train_correlations_,
            }
        ).plot(ax=ax)

    def _reach(self) -> Any:
        """From the correlation down and up; a standard error where there are no intervals (learning from one table)."""
        if np.isnan(self.table_["low"]).all():
            return self.table_["standard_error"]
        r = self.table_["out_of_fold"]
        return np.stack([r - self.table_["low"], self.table_["high"] - r])

    def plot(self, *, ax: Any = None) -> CorrelationsDisplay:
        ax = self._axes(ax)
        component = self.table_["component"]
        out_of_fold = not np.isnan(self.table_["out_of_fold"]).all()
        bars = [("in_sample", "in sample", IN_SAMPLE)]
        if out_of_fold:
            bars = [
                ("out_of_fold", "out of fold", OUT_OF_FOLD),
                *bars,
                ("linear_out_of_fold", "linear, out of fold", LINEAR),
            ]
        else:
            bars.append(("linear_in_sample", "linear, in sample", LINEAR))
        width = 0.8 / len(bars)
        drawn = []
        for number, (column, label, colour) in enumerate(bars):
            place = component + (number - (len(bars) - 1) / 2) * width
            errors = self._reach() if column == "out_of_fold" else None
            bar = ax.bar(place, self.table_[column], width, label=label, color=colour, yerr=errors, ecolor="#555555")
            drawn.append(bar)
            if column == "out_of_fold":
                ends = place - width / 2, place + width / 2
                drawn.append(ax.hlines(self.table_["noise_threshold"], *ends, color="black", label="noise threshold"))
        ax.axhline(0, color="black", linewidth=0.8)
        ax.set_xticks(component)
        ax.set(xlabel="component", ylabel="canonical correlation", ylim=(min(0, ax.get_ylim()[0]), 1))
        ax.legend(handles=drawn, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
        return self
