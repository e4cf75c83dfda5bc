"""Divides Dask collections into parts that hold the same rows of every view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import dask
import dask.array as da
import numpy as np
from numpy.typing import NDArray

from .._missing import is_missing
from .._views import View, as_view, check_same_samples


@dataclass
class Part:
    """Some rows of every view, in single precision, with their groups and weights."""

    views: list[View]
    groups: Any = None  # labels as given
    weights: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.views[0].values)


@dataclass
class PartInfo:
    """The client's summary of a part."""

    rows: int
    columns: list[list[str]]
    n_columns: list[int]
    group_labels: list[Any]  # in the order of first appearance


def is_array(collection: Any) -> bool:
    return isinstance(collection, da.Array)


def is_frame(collection: Any) -> bool:
    return _is_of_pandas(collection) and collection.ndim == 2


def _is_series(collection: Any) -> bool:
    return _is_of_pandas(collection) and collection.ndim == 1


def _is_of_pandas(collection: Any) -> bool:
    return dask.is_dask_collection(collection) and hasattr(collection, "map_partitions") and hasattr(collection, "ndim")


def delayed_parts(tables: dict[str, Any], groups: Any, sample_weight: Any) -> list[Any]:
    """One delayed `Part` per partition; nothing is computed yet."""
    for name, table in tables.items():
        if is_array(table) and table.ndim != 2:
            raise ValueError(f'view "{name}" must have two dimensions, got {table.ndim}.')
        if not is_array(table) and not is_frame(table):
            raise ValueError(
                f'view "{name}" is a {type(table).__name__}, not a Dask array or DataFrame. Use treecca.TreeCCA for '
                "tables in memory."
            )
    others = {"groups": groups, "sample_weight": sample_weight}
    for name, one in others.items():
        if one is not None and not (is_array(one) and one.ndim == 1) and not _is_series(one):
            raise ValueError(f"{name} must be a Dask array of one dimension or a Dask Series, like the views.")
    collections = [one for one in (*tables.values(), *others.values()) if one is not None]
    lengths = _common_lengths(collections)
    columns = {id(one): _partitions(one, lengths) for one in collections}
    counts = {len(parts) for parts in columns.values()}
    if len(counts) > 1:
        raise ValueError(
            f"The collections have different numbers of partitions ({sorted(counts)}), and the lengths of some are not "
            "known. Give all of them the same partitions (repartition, or compute_chunk_sizes for arrays)."
        )
    pack = dask.delayed(_pack, pure=False)
    names = list(tables)
    result = []
    for number in range(counts.pop()):
        of = {key: parts[number] for key, parts in columns.items()}
        result.append(
            pack(
                names,
                [of[id(table)] for table in tables.values()],
                None if groups is None else of[id(groups)],
                None if sample_weight is None else of[id(sample_weight)],
                number,
            )
        )
    return result


def _common_lengths(collections: list[Any]) -> tuple[int, ...] | None:
    """The rows per partition that all arrays are rechunked to; None: no change."""
    known = [one.chunks[0] for one in collections if is_array(one) and not np.isnan(one.chunks[0]).any()]
    if len(known) == len(collections) and len({sum(chunks) for chunks in known}) > 1:
        raise ValueError(
            f"Views, groups and weights must hold the same samples; they have {[sum(c) for c in known]} rows."
        )
    # Arrays next to tables of unknown lengths must already have the same partitions; `_pack` checks it.
    return known[0] if len(known) == len(collections) else None


def _partitions(collection: Any, lengths: tuple[int, ...] | None) -> list[Any]:
    if not is_array(collection):
        return list(collection.to_delayed())
    if lengths is not None:
        collection = collection.rechunk({0: lengths})
    if collection.ndim == 2:
        collection = collection.rechunk({1: -1})
    return [block for row in collection.to_delayed().reshape(len(collection.chunks[0]), -1) for block in row]


def _pack(names: list[str], tables: list[Any], groups: Any, weights: Any, number: int) -> Part:
    try:
        given = [as_view(name, table, min_samples=0) for name, table in zip(names, tables, strict=True)]
        for view in given:
            if any(view.levels):
                raise ValueError(
                    f'view "{view.name}" has categories, which Dask fits do not support. Give them as indicators.'
                )
        check_same_samples(given, groups, weights)
        views = [_in_single_precision(view) for view in given]
    except ValueError as error:
        raise ValueError(f"Partition {number}: {error}") from error
    part = Part(views)
    if groups is not None:
        part.groups = np.asarray(groups)
        missing = next((row for row, label in enumerate(part.groups) if is_missing(label)), None)
        if missing is not None:
            raise ValueError(f"groups has no label for row {missing} of partition {number}.")
    if weights is not None:
        part.weights = np.asarray(weights, dtype=np.float64)
    sizes = [len(view.values) for view in views]
    sizes += [len(one) for one in (part.groups, part.weights) if one is not None]
    if len(set(sizes)) > 1:
        raise ValueError(
            f"Partition {number} has {sizes} rows in the views, groups and weights: they must hold the same samples in "
            "the same partitions."
        )
    return part


def _in_single_precision(view: View) -> View:
    """The table without its index, which is no longer needed."""
    with np.errstate(over="ignore"):
        values = np.ascontiguousarray(view.values, dtype=np.float32)
    too_large = np.argwhere(np.isinf(values))
    if len(too_large) > 0:
        row, column = too_large[0]
        raise ValueError(
            f'view "{view.name}": the value {view.values[row, column]:g} in row {row}, column {column} is too large '
            "for single precision. Rescale the column."
        )
    return View(view.name, values, view.feature_names)


def info_of(part: Part) -> PartInfo:
    labels = [] if part.groups is None else list(dict.fromkeys(part.groups.tolist()))
    return PartInfo(
        len(part),
        [view.feature_names for view in part.views],
        [view.values.shape[1] for view in part.views],
        labels,
    )


def check_infos(names: list[str], infos: list[PartInfo], least: int) -> None:
    first = infos[0]
    for number, info in enumerate(infos):
        for name, columns, others in zip(names, info.columns, first.columns, strict=True):
            if columns != others:
                raise ValueError(f'Partition {number} of view "{name}" has different columns from partition 0.')
        if info.n_columns != first.n_columns:
            raise ValueError(f"Partition {number} has {info.n_columns} columns, partition 0 {first.n_columns}.")
    total = sum(info.rows for info in infos)
    if total < least:
        raise ValueError(f"Found {total} samples; at least {least} are needed.")


def joined(parts: list[Part]) -> Part:
    """The rows of several parts, stacked."""
    if len(parts) == 1:
        return parts[0]
    views = [
        View(same[0].name, np.concatenate([view.values for view in same]), same[0].feature_names)
        for same in zip(*(part.views for part in parts), strict=True)
    ]
    return Part(
        views,
        None if parts[0].groups is None else np.concatenate([part.groups for part in parts]),
        None
        if parts[0].weights is None
        else np.concatenate([part.weights for part in parts if part.weights is not None]),
    )
