"""Tables of the pages, made from committed results.

    python -m benchmarks.tables            write the tables into the pages
    python -m benchmarks.tables --check    fail if a page shows anything else

A page has a table between two comments:

    <!-- table: NAME -->
    ...
    <!-- end of table -->
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, stdev

from .permutation import error_table, power_table
from .records import read_records

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGES = (
    "README.md",
    "docs/benchmarks.md",
    "docs/guide/covariates.md",
    "docs/guide/sample-size.md",
    "docs/guide/significance.md",
)
PLACE = re.compile(r"(<!-- table: (?P<name>[\w-]+) -->\n).*?(<!-- end of table -->)", re.DOTALL)

NAMES = {
    "nutrimouse": "nutrimouse: genes, fatty acids",
    "liver_toxicity": "liver.toxicity: genes, clinical chemistry",
    "multidrug": "multidrug: transporters, drug activity",
    "breast_tcga": "breast.TCGA: mRNA, miRNA",
    "threesources": "3Sources: three newspapers",
    "msrc_v5": "MSRC-v5: five descriptions of images",
    **{f"linear_{n}": f"linear signal, {n} samples" for n in (60, 100, 200)},
    **{f"signed_{n}": f"Signed Power, {n} samples" for n in (60, 100, 200)},
    **{f"sparse_{p}": f"sparse: 5 of {p} features matter" for p in (200, 500)},
    "hermite": "Hermite",
    "signed_power": "Signed Power",
    "uci_har": "UCI HAR, new subjects",
    "handwritten": "Handwritten: six descriptions of digits",
}
IN_README = {
    "nutrimouse": NAMES["nutrimouse"],
    "breast_tcga": NAMES["breast_tcga"],
    "threesources": NAMES["threesources"],
    "uci_har": "UCI HAR: two sensors, new subjects",
    "handwritten": NAMES["handwritten"],
    "signed_100": "synthetic: cube root and cube",
    "sparse_500": "synthetic: 5 of 500 features matter",
}
NEW_SPLITS = "splits_seeds_21_23"  # used for no choice of settings


def records(name: str) -> list[dict]:
    return read_records(RESULTS / f"{name}.json")


def markdown(header: list[str], rows: list[list[str]]) -> str:
    head, *body = ("| " + " | ".join(cells) + " |\n" for cells in [header, *rows])
    return head + "|---" * len(header) + "|\n" + "".join(body)


def by_set(name: str) -> dict[str, list[dict]]:
    sets: dict[str, list[dict]] = {}
    for record in records(name):
        sets.setdefault(record["set"], []).append(record)
    return sets


def mean_scores(own: list[dict]) -> dict[str, str]:
    """Means over the splits of a set."""
    means = {
        "linear CCA": fmean(r["linear"] for r in own),
        "`preset=plain`": fmean(r["plain"]["tcc"] for r in own),
        "TreeCCA": fmean(r["auto"]["tcc"] for r in own),
        "estimate": fmean(r["auto"]["own"] for r in own),
    }
    return {name: f"{value:.2f}" for name, value in means.items()}


def in_bold(scores: list[str]) -> list[str]:
    highest = max(scores, key=float)
    return [f"**{score}**" if score == highest else score for score in scores]


def readme_table() -> str:
    rows = []
    for name, shown in IN_README.items():
        own = by_set(NEW_SPLITS)[name]
        means = mean_scores(own)
        scores = in_bold([means["linear CCA"], means["TreeCCA"]])
        rows.append([shown, f"{own[0]['samples']:,}", str(own[0]["k"]), *scores, means["estimate"]])
    return markdown(["data", "samples", "K", "linear CCA", "TreeCCA", "TreeCCA's out-of-fold estimate"], rows)


def all_splits_table() -> str:
    rows = []
    for name, own in by_set(NEW_SPLITS).items():
        means = mean_scores(own)
        of_test = fmean(r["test_samples"] for r in own)
        scores = in_bold([means["linear CCA"], means["`preset=plain`"], means["TreeCCA"]])
        sizes = [f"{own[0]['samples']:,}", f"{of_test:,.0f}", str(own[0]["k"])]
        rows.append([NAMES[name], *sizes, *scores, means["estimate"]])
    header = ["data", "samples", "test samples", "K", "linear CCA", "`preset=plain`", "TreeCCA", "out-of-fold estimate"]
    return markdown(header, rows)


def summary_table() -> str:
    """Means over all splits, as fractions of K."""
    found = records(NEW_SPLITS)

    def mean(of: Callable[[dict], float]) -> str:
        return f"{fmean(of(r) / r['k'] for r in found):.3f}"

    def error(method: str) -> str:
        of_sets = [
            abs(fmean((r[method]["own"] - r[method]["tcc"]) / r["k"] for r in own))
            for own in by_set(NEW_SPLITS).values()
        ]
        return f"{fmean(of_sets):.3f}"

    rows = [
        ["linear CCA", mean(lambda r: r["linear"]), ""],
        ["`preset=plain`", mean(lambda r: r["plain"]["tcc"]), error("plain")],
        ["TreeCCA", mean(lambda r: r["auto"]["tcc"]), error("auto")],
    ]
    header = [f"over {len(found)} splits of {len(by_set(NEW_SPLITS))} data sets", "mean test TCC / K"]
    return markdown([*header, "mean error of the out-of-fold estimate / K"], rows)


# The page that `python -m benchmarks.paper` writes is the committed form of its results.


def paper_rows(section: str) -> dict[str, dict[str, str]]:
    """Method -> column -> cell, of the first table below a heading of docs/paper.md."""
    page = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
    lines = page[page.index(f"# {section}") :].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("|"))
    cells = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        cells.append([cell.strip().strip("*") for cell in line.strip("|").split("|")])
    return {row[0]: dict(zip(cells[0], row, strict=True)) for row in cells[2:]}


def published_table() -> str:
    """Test TCC run here, next to what the paper prints."""
    sections = {
        "Signed Power (K = 3)": ("Signed Power", 3, "paper: TCC"),
        "Hermite (K = 3)": ("Hermite", 3, "paper: TCC"),
        "Table 3: UCI HAR, accelerometer and gyroscope (K = 6)": ("UCI HAR, new subjects", 6, "paper: TCC"),
        "Table 2: Split MNIST (K = 50, 54,000 training images, seed 42)": ("Split MNIST", 50, "paper: validation"),
    }
    rows = []
    for section, (name, k, column) in sections.items():
        found = paper_rows(section)

        def one(beginning: str, of: dict[str, dict[str, str]] = found) -> dict[str, str]:
            return next(row for method, row in of.items() if method.startswith(beginning))

        def both(beginning: str, column: str = column, one: Callable[[str], dict[str, str]] = one) -> str:
            return f"{one(beginning)['here, test TCC']} ({one(beginning)[column]})"

        rows.append(
            [
                name,
                str(k),
                *(both(method) for method in ("Linear CCA", "DeepCCA", "TreeCCA, `preset=paper`")),
                one("TreeCCA, defaults")["here, test TCC"],
            ]
        )
    header = ["data", "K", "linear CCA", "DeepCCA", "TreeCCA, `preset=paper`", "TreeCCA, defaults"]
    return markdown(header, rows)


def limits_table() -> str:
    """Five seeds of the synthetic sets: the share of the possible TCC, and the paper's protocol."""
    rows = []
    for data, name in (("signed_power", "Signed Power"), ("hermite", "Hermite")):
        plain = [r for r in records("quality") if r["data"] == data]
        paper = [r for r in records("paper_preset") if r["data"] == data]

        def spread(values: list[float]) -> str:
            return f"{fmean(values):.2f} ± {stdev(values):.2f}"

        rows.append(
            [name, f"{plain[0]['limit']:.2f}"]
            + [spread([r[column] for r in plain]) for column in ("linear_test_tcc", "test_tcc", "out_of_fold_tcc")]
            + [spread([r["peak_tcc"] for r in paper])]
        )
    return markdown(
        ["data", "limit", "linear CCA", "`preset=plain`", "its out-of-fold estimate", "`preset=paper`, best round"],
        rows,
    )


def speed_table() -> str:
    """Seconds only if the run trusts them; ratios within one run are less sensitive."""
    found = records("speed")
    trusted = not any("warning" in r for r in found)
    rows = []
    for r in found:
        row = [f"{r['n']:,}", str(r["p"]), str(r["k"])]
        if trusted:
            row += [f"{seconds:.4f}" for seconds in r["seconds_per_round"].values()]
        row += [f"{ratio:.1f}" for ratio in r["times_faster"].values()]
        rows.append([*row, f"{r['stages']['treecca joint']['peak_mb']:.0f}"])
    header = ["samples", "features per view", "K"]
    if trusted:
        header += [f"{name}, s" for name in found[0]["seconds_per_round"]]
    header += ["scalar trees, times faster", "joint trees, times faster", "peak memory of joint trees, MB"]
    return markdown(header, rows)


def sample_size_table() -> str:
    """Per relation and number of features: fraction above noise; mean correlations out of fold and on new samples."""
    cells: dict[tuple[str, float, int], dict[int, list[dict]]] = {}
    for record in records("sample_size"):
        cell = cells.setdefault((record["relation"], record["strength"], record["p"]), {})
        cell.setdefault(record["n"], []).append(record)
    samples = sorted({n for cell in cells.values() for n in cell})
    rows = []
    for (relation, strength, features), of_size in cells.items():
        row = ["none" if relation == "none" else f"{relation}, {strength:g}", str(features)]
        for n in samples:
            own = of_size.get(n)
            if own is None:
                row.append("")
                continue
            above = 100 * fmean(r["above_noise"] for r in own)
            means = [fmean(r[column] for r in own) for column in ("out_of_fold", "new")]
            row.append(f"{above:.0f}%: " + ", ".join(f"{round(value, 2) + 0:.2f}" for value in means))
        rows.append(row)
    return markdown(["relation", "features", *(f"{n:,} samples" for n in samples)], rows)


def rule_table() -> str:
    """Per number of difficulties: the fewest samples with which every such relation is found in 80 % of data sets."""
    cells: dict[tuple[int, int], dict[tuple, list[bool]]] = {}  # difficulties, samples: relation: above noise
    for r in records("sample_size"):
        if r["relation"] == "none":
            continue
        difficulties = (r["relation"] == "square") + (r["strength"] == 0.5) + (r["p"] == 100)
        relation = (r["relation"], r["strength"], r["p"])
        cells.setdefault((difficulties, r["n"]), {}).setdefault(relation, []).append(r["above_noise"])
    most = max(n for _, n in cells)
    rows = []
    for count, name in enumerate(("none of them", "one of them", "two of them", "all three")):
        enough = [n for (d, n), own in cells.items() if d == count and min(map(fmean, own.values())) >= 0.8]
        rows.append([name, f"{min(enough):,}" if enough else f"more than {most:,}"])
    return markdown(["difficulties", "samples"], rows)


def in_cells(found: list[dict], *keys: str) -> dict[tuple, list[dict]]:
    cells: dict[tuple, list[dict]] = {}
    for record in found:
        cells.setdefault(tuple(record[key] for key in keys), []).append(record)
    return cells


def covariate_fit_table(found: list[dict] | None = None) -> str:
    """Means over the data sets of a size, with the standard error of the adjusted correlation."""
    fits = [record for record in found or records("covariates") if record["case"] == "fit"]
    rows = []
    for (n,), own in in_cells(fits, "n").items():
        row = [f"{n:,}"]
        for relation in ("unrelated", "related"):
            of_relation = [record for record in own if record["shared"] == relation]
            adjusted = [record["adjusted"] for record in of_relation]
            above = fmean(record["above_noise"] for record in of_relation)
            if relation == "unrelated":
                row.append(f"{fmean(record['unadjusted'] for record in of_relation):.2f}")
                row.append(f"{fmean(adjusted):.2f} ({stdev(adjusted) / len(adjusted) ** 0.5:.2f})")
            else:
                row.append(f"{fmean(adjusted):.2f}")
            row.append(f"{above:.0%}")
        rows.append(row)
    header = ["samples", "unadjusted", "adjusted (standard error)", "above noise"]
    return markdown([*header, "with a relation: adjusted", "above noise"], rows)


def covariate_test_table(found: list[dict] | None = None) -> str:
    """How often p <= 0.05."""
    tests = [record for record in found or records("covariates") if record["case"] == "test"]
    rows = []
    for (shared,), own in in_cells(tests, "shared").items():
        of_methods = [f"{fmean(record[method] <= 0.05 for record in own):.1%}" for method in ("p", "p_linear")]
        rows.append([shared, str(len(own)), *of_methods])
    return markdown(["shared", "data sets", "TreeCCA", "linear CCA (`linear=1`)"], rows)


def permutation_table(case: str) -> Callable[[], str]:
    def table() -> str:
        own = records("permutation")
        return (error_table(own) if case == "errors" else power_table(own, case)) + "\n"

    return table


TABLES: dict[str, Callable[[], str]] = {
    "benchmarks": readme_table,
    "all-splits": all_splits_table,
    "summary": summary_table,
    "published": published_table,
    "limits": limits_table,
    "speed": speed_table,
    "sample-size": sample_size_table,
    "sample-size-rule": rule_table,
    "covariate-fits": covariate_fit_table,
    "covariate-tests": covariate_test_table,
    "permutation-errors": permutation_table("errors"),
    "permutation-power": permutation_table("power"),
    "permutation-full": permutation_table("full"),
}


def filled(page: str) -> str:
    """The page with its tables made again."""
    return PLACE.sub(lambda place: f"{place[1]}\n{TABLES[place['name']]()}\n{place[3]}", page)


def numbers_elsewhere(page: str) -> list[str]:
    """Table rows with a number that no generated table has."""
    outside = PLACE.sub("", page)
    return [line for line in outside.splitlines() if line.startswith("|") and re.search(r"\d\.\d", line)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    differing = []
    for name in PAGES:
        path = ROOT / name
        page = path.read_text(encoding="utf-8")
        new = filled(page)
        if new == page:
            continue
        differing.append(name)
        if not arguments.check:
            path.write_text(new, encoding="utf-8")
    if arguments.check and differing:
        sys.exit(f"Not the tables of the results: {', '.join(differing)}. Run python -m benchmarks.tables.")


if __name__ == "__main__":
    main()
