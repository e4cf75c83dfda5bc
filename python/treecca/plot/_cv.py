from __future__ import annotations

from typing import Any

import numpy as np

from .._cv import CVResult
from ._display import LINEAR, OUT_OF_FOLD, PALETTE, Display, whole_numbers_only


class CVDisplay(Display):
    """Out-of-fold total correlation of many settings, by number of components if the grid has it, else by round.

    By a parameter, it shows the total of the components above noise, by which settings are compared, with its standard
    error. A dashed line is one standard error below the highest total. A ring marks the chosen setting: of the settings
    above this line, the setting with the fewest components. By round, it shows the total of all components inside the
    parts or folds, with the round that each setting keeps.
    """

    def __init__(self, result: CVResult) -> None:
        super().__init__(result.table)
        self.result = result

    @classmethod
    def from_result(cls, result: CVResult, *, against: str | None = None, ax: Any = None) -> CVDisplay:
        """`against`: "round", or a parameter of the grid that is a number."""
        return cls(result).plot(against=against, ax=ax)

    def plot(self, *, against: str | None = None, ax: Any = None) -> CVDisplay:
        if against is None:
            against = "n_components" if "n_components" in self.result.names else "round"
        if against != "round" and against not in self.result.names:
            raise ValueError(f'The grid has no parameter "{against}"; it has: {", ".join(self.result.names)}.')
        ax = self._axes(ax)
        if against == "round":
            self._plot_rounds(ax)
        else:
            self._plot_against(ax, against)
        whole_numbers_only(ax.xaxis, self.table_["best_round" if against == "round" else against])
        total = "total correlation" if against == "round" else "total correlation above noise"
        ax.set(xlabel=against, ylabel=f"{total}, out-of-fold", ylim=(0, None))
        ax.margins(x=0.1, y=0.1)
        ax.legend(frameon=False)
        return self

    def _plot_rounds(self, ax: Any) -> None:
        for number, (label, curve) in enumerate(zip(self.result.labels(), self.result.curves, strict=True)):
            chosen = number == self.result.best_index
            colour = PALETTE[number % len(PALETTE)]
            rounds = self.result.rounds[number]
            ax.plot(rounds, curve, "-" if chosen else "--", color=colour, label=label + (", chosen" if chosen else ""))
            kept = self.table_["best_round"][number]
            if len(rounds) and rounds[0] <= kept <= rounds[-1]:
                ax.plot([kept], [np.interp(kept, rounds, curve)], "o", color=colour, markersize=5)

    def _plot_against(self, ax: Any, name: str) -> None:
        """One line per combination of the other parameters."""
        x = self.table_[name]
        total, error = self.table_["found_tcc"], self.table_["standard_error"]
        others = [other for other in self.result.names if other != name]
        groups: dict[str, list[int]] = {}
        for row in range(len(x)):
            label = ", ".join(f"{other}={self.table_[other][row]}" for other in others)
            groups.setdefault(label, []).append(row)
        for number, (label, rows) in enumerate(groups.items()):
            rows.sort(key=lambda row: float(x[row]))
            ax.errorbar(
                [float(x[row]) for row in rows],
                [total[row] for row in rows],
                [error[row] for row in rows],
                fmt="o-",
                color=PALETTE[number % len(PALETTE)],
                capsize=3,
                label=label or "total, with its standard error",
            )
        if len(groups) == 1:
            for row in range(len(x)):
                ax.annotate(
                    f"{total[row]:.2f}",
                    (float(x[row]), total[row]),
                    xytext=(9, -13),
                    textcoords="offset points",
                    fontsize="small",
                )
        highest = int(np.argmax(total))
        ax.axhline(
            total[highest] - error[highest], color=LINEAR, linestyle="--", label="one standard error below the highest"
        )
        best = self.result.best_index
        ax.plot(
            [float(x[best])],
            [total[best]],
            "o",
            markersize=14,
            fillstyle="none",
            color=OUT_OF_FOLD,
            markeredgewidth=2,
            label=f"chosen: {name}={x[best]}",
        )
