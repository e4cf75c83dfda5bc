"""`python -m benchmarks.datasets`: prints a table of all data sets, and which files are missing or damaged."""

from . import list_datasets, load


def main() -> None:
    print("| data set | k | training samples | test samples | features per view | classes | groups |")
    print("|---|---|---|---|---|---|---|")
    for name in list_datasets():
        try:
            data = load(name)
        except (OSError, ValueError) as reason:  # missing, damaged, or too small to be split
            print(f"| {name} | {' '.join(str(reason).split()).replace('|', '/')} |")
            continue
        test_samples = 0 if data.test_views is None else len(data.test_views[0])
        classes = "" if data.labels is None else len(set(data.labels))
        groups = "" if data.groups is None else len(set(data.groups))
        widths = ", ".join(str(v.shape[1]) for v in data.views)
        print(f"| {name} | {data.k} | {data.n_samples} | {test_samples} | {widths} | {classes} | {groups} |")


if __name__ == "__main__":
    main()
