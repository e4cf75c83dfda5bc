from __future__ import annotations

from typing import Any

import numpy as np

from ._display import IN_SAMPLE, LINEAR, OUT_OF_FOLD, Display, fitted, whole_numbers_only


class ConvergenceDisplay(Display):
    """Total correlation by round: out-of-fold, and in-sample if the model is one fit to all samples."""

    def __init__(self, table: dict[str, Any], kept: int, out_of_fold: bool, linear: float) -> None:
        super().__init__(table)
        self.kept = kept
        self.out_of_fold = out_of_fold
        self.linear = linear

    @classmethod
    def from_estimator(cls, model: Any, *, ax: Any = None) -> ConvergenceDisplay:
        model = fitted(model)
        out_of_fold = not np.isnan(model.correlations_).all()
        linear = model.linear_correlations_ if out_of_fold else model.linear_train_correlations_
        rounds = model.history_["round"].astype(int)
        curves = {name: model.history_[name] for name in ("tcc", "train_tcc", "loss")}
        table = {"round": rounds, **{name: curve for name, curve in curves.items() if len(curve) == len(rounds)}}
        return cls(table, model.n_iter_, out_of_fold, float(np.maximum(linear, 0).sum())).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> ConvergenceDisplay:
        ax = self._axes(ax)
        rounds = self.table_["round"]
        if self.out_of_fold:
            ax.plot(rounds, self.table_["tcc"], color=OUT_OF_FOLD, label="out-of-fold")
        if "train_tcc" in self.table_:
            ax.plot(rounds, self.table_["train_tcc"], color=IN_SAMPLE, linewidth=1, label="in-sample")
        ax.axhline(self.linear, color=LINEAR, linestyle="--", label=f"linear CCA: {self.linear:.2f}")
        if self.kept < max(rounds, default=0):
            ax.axvline(self.kept, color="black", linewidth=0.8, linestyle=":", label=f"round kept: {self.kept}")
        whole_numbers_only(ax.xaxis, rounds)
        ax.set(xlabel="round", ylabel="total correlation (TCC)", ylim=(0, None))
        ax.legend(frameon=False)
        return self
