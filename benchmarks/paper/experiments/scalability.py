"""Time by number of samples and features (the paper's Appendix F)."""

from __future__ import annotations

from typing import Any

from .. import plan
from ..page import Page, grid
from ..results import Results
from ..scale import Scale
from ..unit import Unit

NAME = "scalability"
TITLE = "Scalability (Signed Power, K = 3, 200 rounds)"
_TEST_ROWS = 2000
_ROUNDS = 200

_TITLES = {"paper": "`preset=paper`", "treecca": "`preset=plain`", "screened": "`preset=plain, screen=auto`"}


def _sizes(scale: Scale) -> list[tuple[int, int]]:
    """Return (samples, features): samples with three features, then features with 5,000 samples."""
    if scale.quick:
        return [(500, 3), (1000, 3), (500, 10), (500, 30)]
    return [(n, 3) for n in (1000, 3000, 10_000, 30_000, 100_000)] + [(5000, p) for p in (10, 100, 1000, 3000)]


def _fits(scale: Scale) -> dict[tuple[str, int, int], Unit]:
    runs = {}
    for n, p in _sizes(scale):
        test = 200 if scale.quick else _TEST_ROWS
        options = {"n_samples": n + test, "n_noise_features": p - 3, "test_size": test}
        seconds = 2 + n * p * 8e-6
        more = {"options": options, "seconds": seconds}
        runs["paper", n, p] = plan.paper(scale, "signed_power", scale.seeds[0], {"n_estimators": _ROUNDS}, **more)
        settings = {"preset": "plain", "n_estimators": _ROUNDS}
        runs["treecca", n, p] = plan.ours(scale, "signed_power", scale.seeds[0], settings, extras=["curve"], **more)
        if p > 3:
            screened = {**settings, "screen": "auto"}
            runs["screened", n, p] = plan.ours(scale, "signed_power", scale.seeds[0], screened, **more)
    return runs


def units(scale: Scale) -> list[Unit]:
    return list(_fits(scale).values())


def _cells(run: dict[str, Any] | None, planned: bool) -> list[str]:
    if not planned:
        return ["", ""]
    if run is None or "test" not in run:
        return ["not run", ""]
    return [f"{run['test']:.2f}", f"{1000 * run['seconds'] / run['rounds']:.1f}"]


def _spread(runs: dict[tuple[str, int, int], dict[str, Any] | None]) -> str:
    """Return the range of the TCC over all sizes."""
    texts = []
    for method, title in _TITLES.items():
        found = [run["test"] for (of, _, _), run in runs.items() if of == method and run is not None and "test" in run]
        if found:
            texts.append(f"{min(found):.2f} to {max(found):.2f} ({title})")
    return f"TCC here: {', '.join(texts)}." if texts else ""


def write(page: Page, scale: Scale, results: Results) -> None:
    runs = {at: results.one(unit) for at, unit in _fits(scale).items()}
    heads = [cell for title in _TITLES.values() for cell in (f"{title}: test TCC", "ms per round")]
    rows = [["samples", "features", *heads]]
    for n, p in _sizes(scale):
        cells = [cell for method in _TITLES for cell in _cells(runs.get((method, n, p)), (method, n, p) in runs)]
        rows.append([f"{n:,}", f"{p:,}", *cells])
    page.table(rows)
    page.text(
        "Three features of each view carry the signal, the others are noise. The time is that of whole fits: "
        "`preset=plain` trains five encoders per view, one for each fold, and also fits linear CCA, which takes most "
        "of the time with many features. The last column includes the screening. The paper: the same TCC at every "
        "size, and well under a second per round at 100,000 samples or 3,000 features. " + _spread(runs)
    )

    def draw(pyplot: Any) -> Any:
        figure, axes = grid(pyplot, 2, width=3.8)
        drawn = False
        colours = pyplot.get_cmap("viridis")
        by_rows = [size for size in _sizes(scale) if size[1] == 3]
        by_features = [size for size in _sizes(scale) if size[1] != 3]
        for axis, sizes, which in ((axes[0], by_rows, 0), (axes[1], by_features, 1)):
            for place, (n, p) in enumerate(sizes):
                run = runs["treecca", n, p]
                if run is None or "curve" not in run:
                    continue
                drawn = True
                clock = [run["seconds"] * r / run["rounds"] for r in run["curve_rounds"]]
                label = f"N = {n:,}" if which == 0 else f"p = {p:,}"
                axis.plot(clock, run["curve"], color=colours(place / max(1, len(sizes))), label=label)
            axis.set(xscale="log", xlabel="seconds", ylabel="test TCC, raw")
            if axis.get_legend_handles_labels()[0]:
                axis.legend(fontsize=7)  # the two plots have different labels
        return figure if drawn else None

    page.plot(
        "scalability",
        "Test TCC, raw, by time, `preset=plain` with 200 rounds: by samples (left), by features (right).",
        draw,
    )
