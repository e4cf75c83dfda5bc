from __future__ import annotations

from typing import Any

import numpy as np

from ._display import IN_SAMPLE, LINEAR, OUT_OF_FOLD, Display, fitted


class CorrelationsDisplay(Display):
    """Canonical correlations per component: out of fold beside in sample and linear CCA."""

    @classmethod
    def from_estimator(cls, model: Any, *, ax: Any = None) -> CorrelationsDisplay:
        model = fitted(model)
        k = model.model_.n_components
        return cls(
            {
                "component": np.arange(1, k + 1),
                "out_of_fold": model.correlations_,
                "in_sample": model.train_correlations_,
                "linear_out_of_fold": model.linear_correlations_,
                "linear_in_sample": model.linear_train_correlations_,
            }
        ).plot(ax=ax)

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
        for number, (column, label, colour) in enumerate(bars):
            offset = (number - (len(bars) - 1) / 2) * width
            ax.bar(component + offset, self.table_[column], width, label=label, color=colour)
        ax.axhline(0, color="black", linewidth=0.8)
        ax.set_xticks(component)
        ax.set(xlabel="component", ylabel="canonical correlation", ylim=(min(0, ax.get_ylim()[0]), 1))
        ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(bars))
        return self
