from __future__ import annotations

from typing import Any

import numpy as np

from ._display import IN_SAMPLE, LINEAR, NOISE, OUT_OF_FOLD, Display, fitted


class CorrelationsDisplay(Display):
    """Out-of-fold canonical correlations per component, with 95% intervals, next to linear CCA.

    A dashed line is the noise threshold of a component. A component below it is not distinguishable from noise: its bar
    is hollow. A thin line is the in-sample correlation, which is too high. Without cross-fitting the bars are
    in-sample correlations.
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
        """Distances from the correlation to the ends of its interval; for one table, standard errors."""
        r = self.table_["out_of_fold"]
        if np.isnan(self.table_["low"]).all():
            return np.stack([self.table_["standard_error"]] * 2)
        return np.stack([r - self.table_["low"], self.table_["high"] - r])

    def plot(self, *, ax: Any = None) -> CorrelationsDisplay:
        ax = self._axes(ax)
        component, table = self.table_["component"], self.table_
        cross_fitted = not np.isnan(table["out_of_fold"]).all()
        drawn = self._out_of_fold(ax) if cross_fitted else self._in_sample(ax)
        ax.axhline(0, color="black", linewidth=0.8)
        ax.set_xticks(component, [self._name(number) for number in component])
        ax.set(xlabel="component", ylabel="canonical correlation", ylim=(min(0, ax.get_ylim()[0]), 1.08))
        ax.set_yticks([tick for tick in ax.get_yticks() if ax.get_ylim()[0] <= tick <= 1])
        ax.legend(handles=drawn, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize="small")
        return self

    def _name(self, number: int) -> str:
        """The number of a component; below noise also its value, because there is no space for it in the plot."""
        r = self.table_["out_of_fold"][number - 1]
        return str(number) if np.isnan(r) or self.table_["found"][number - 1] else f"{number}\n{r:.2f}, below noise"

    def _in_sample(self, ax: Any) -> list[Any]:
        component, table = self.table_["component"], self.table_
        bars = ax.bar(component - 0.13, table["in_sample"], 0.5, color=IN_SAMPLE, label="in-sample")
        ax.bar_label(bars, [f"{r:.2f}" for r in table["in_sample"]], padding=2, fontsize="small")
        linear = ax.bar(component + 0.25, table["linear_in_sample"], 0.2, color=LINEAR, label="linear CCA, in-sample")
        return [bars, linear]

    def _out_of_fold(self, ax: Any) -> list[Any]:
        from matplotlib.patches import Patch

        component, table = self.table_["component"], self.table_
        place, r, reach = component - 0.13, table["out_of_fold"], self._reach()
        bars = ax.bar(place, r, 0.5, color=OUT_OF_FOLD)
        for bar, found in zip(bars, table["found"], strict=True):
            if not found:
                bar.set(facecolor="white", edgecolor=LINEAR)
        drawn: list[Any] = [Patch(color=OUT_OF_FOLD, label="out-of-fold")]
        known = "95% interval" if not np.isnan(table["low"]).all() else "standard error"
        drawn.append(ax.errorbar(place, r, yerr=reach, fmt="none", ecolor="#333333", capsize=3, label=known))
        drawn.append(
            ax.hlines(
                table["noise_threshold"], place - 0.3, place + 0.5, color=NOISE, linestyle="--", label="noise threshold"
            )
        )
        ends = place - 0.25, place + 0.25
        drawn.append(ax.hlines(table["in_sample"], *ends, color=IN_SAMPLE, linewidth=2, label="in-sample"))
        linear = table["linear_out_of_fold"]
        drawn.append(ax.bar(component + 0.25, linear, 0.2, color=LINEAR, label="linear CCA, out-of-fold"))
        for x, value, found in zip(place, r, table["found"], strict=True):
            if found:  # inside the bar, at its foot: the interval and the other marks are at its end
                ax.text(x, 0.02, f"{value:.2f}", ha="center", va="bottom", color="white", weight="bold", size="small")
        return drawn
