"""All benchmark data sets by name.

    python benchmarks/datasets.py            # prints what there is, and what is missing

`load(name, seed)` returns a Dataset that always has a test part: its own, or a stratified 80/20 split by seed. Files
of real data are looked for in the folder named by TREECCA_DATA.
"""

from __future__ import annotations

from dataset import Dataset, with_test_part
from real_data import LOADERS, MissingData
from synthetic import GENERATORS

NAMES = [*GENERATORS, *LOADERS]


def load(name: str, seed: int) -> Dataset:
    if name in GENERATORS:
        return GENERATORS[name](seed)
    if name in LOADERS:
        return with_test_part(LOADERS[name](), seed)
    raise ValueError(f"There is no data set called {name}. Known: {', '.join(NAMES)}.")


def main() -> None:
    print("| data set | K | train rows | test rows | features per view | classes | groups |")
    print("|---|---|---|---|---|---|---|")
    for name in NAMES:
        try:
            data = load(name, seed=42)
        except MissingData as reason:
            print(f"| {name} | {reason} |")
            continue
        classes = "" if data.labels is None else len(set(data.labels))
        groups = "" if data.groups is None else len(set(data.groups))
        widths = ", ".join(str(v.shape[1]) for v in data.train)
        print(f"| {name} | {data.k} | {len(data.train[0])} | {len(data.test[0])} | {widths} | {classes} | {groups} |")


if __name__ == "__main__":
    main()
