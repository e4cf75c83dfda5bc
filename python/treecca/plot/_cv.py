from __future__ import annotations

from typing import Any

from .._cv import CVResult
from ._display import PALETTE, Display, whole_numbers_only


class CVDisplay(Display):
    """Out-of-fold correlation of many settings: against the number of components if the grid has it, else by round.

    Against a parameter, the total of the components above noise with its standard error, by which settings are
    compared; by round, the total of all components inside the parts or folds.
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
            for number, (label, curve) in enumerate(zip(self.result.labels(), self.result.curves, strict=True)):
                style = "-" if number == self.result.best_index else "--"
                ax.plot(self.result.rounds[number], curve, style, color=PALETTE[number % len(PALETTE)], label=label)
        else:
            self._plot_against(ax, against)
        whole_numbers_only(ax.xaxis, self.table_["best_round" if against == "round" else against])
        total = "total correlation" if against == "round" else "total correlation above noise"
        ax.set(xlabel=against, ylabel=f"{total}, out of fold", ylim=(0, None))
        ax.legend(frameon=False)
        return self

    def _plot_against(self, ax: Any, name: str) -> None:
        """One line per combination of the other parameters."""
        x = self.table_[name]
        others = [other for other in self.result.names if other != name]
        groups: dict[str, list[int]] = {}
        for row in range(len(x)):
            label = ", ".join(f"{other}={self.table_[other][row]}" for other in others)
            groups.setdefault(label, []).append(row)
        for number, (label, rows) in enumerate(groups.items()):
            rows.sort(key=lambda row: float(x[row]))
            ax.errorbar(
                [float(x[row]) for row in rows],
                [self.table_["found_tcc"][row] for row in rows],
                [self.table_["standard_error"][row] for row in rows],
                fmt="o-",
                color=PALETTE[number % len(PALETTE)],
                label=label or "out of fold",
            )
