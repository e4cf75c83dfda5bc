"""Joins tables by sample id."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

from ._views import Views, named_tables


def align(views: Views, join: str = "inner") -> dict[str, Any]:
    """Join pandas tables by their index: keep the samples that all tables have, in the order of the first.

    Parameters
    ----------
    views : mapping of name -> DataFrame, or list of DataFrames
        Each with the sample ids as index, no id twice.
    join : {"inner", "outer"}
        "outer" keeps the samples of any table: samples that only later tables have follow at the end, and a sample that
        a table lacks becomes a row of NaN there. `fit` then learns from each pair of views with the samples that have
        both.

    Returns
    -------
    dict of name -> DataFrame
        The same rows in the same order in all of them.
    """
    if join not in ("inner", "outer"):
        raise ValueError(f'join must be "inner" or "outer", not {join!r}.')
    tables = named_tables(views)
    for name, table in tables.items():
        if not hasattr(table, "index") or not hasattr(table, "loc"):
            raise ValueError(f'view "{name}" is not a pandas DataFrame: it has no index to join by.')
        twice = table.index[table.index.duplicated()]
        if len(twice):
            raise ValueError(f'view "{name}" has the sample {twice[0]!r} more than once in its index.')
    if len(tables) < 2:
        raise ValueError(f"Expected at least two views, got {len(tables)}.")
    first, *others = tables.values()
    if join == "outer":
        samples = union_of_samples([table.index for table in tables.values()])
        return {name: table.reindex(samples) for name, table in tables.items()}
    common = common_samples(first.index, [other.index for other in others])
    if not common:
        examples = "; ".join(f'"{name}": {list(table.index[:3])}' for name, table in tables.items())
        raise ValueError(f"The views have no sample in common: no index value is in all of them ({examples}).")
    return {name: table.loc[common] for name, table in tables.items()}


def union_of_samples(indexes: Sequence[Iterable[Any]]) -> list[Any]:
    """The samples that any index has, in the order of their first appearance."""
    return list(dict.fromkeys(sample for index in indexes for sample in index))


def common_samples(first: Iterable[Any], others: Sequence[Container[Any]]) -> list[Any]:
    """The samples that all indexes have, in the order of the first."""
    return [sample for sample in first if all(sample in other for other in others)]
