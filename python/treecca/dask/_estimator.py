"""TreeCCA as an estimator on Dask collections, with the conventions of `xgboost.dask`."""

from __future__ import annotations

import time
from typing import Any

import dask
import dask.array as da
import numpy as np
from distributed import Client, get_client
from sklearn.utils.validation import check_is_fitted

from .. import _core, metrics
from .._estimator import TreeCCA
from .._parameters import as_seed, checked_integer
from .._views import Views, check_width, is_named, named_tables
from ._parts import PartInfo, check_infos, delayed_parts, info_of, is_array, is_frame
from ._run import fit_on_workers

_POLL_SECONDS = 0.1


class DaskTreeCCA(TreeCCA):
    """:class:`treecca.TreeCCA` on Dask arrays and DataFrames.

    Rows stay on the workers that hold them; only sums of histograms and moments are exchanged, through XGBoost's
    communicator. The model is the same as from TreeCCA with all rows in one process: same folds, same splits
    (docs/scale.md says when bins are approximate). Features are not screened: `screen="auto"` means 0 here. Views,
    groups and weights must have the same partitions; arrays with known chunks are rechunked if they differ.

    Attributes are as in TreeCCA, without `variates_`: use `transform`.

    Parameters
    ----------
    n_components : int, default=2
        Number of components.
    client : distributed.Client, default=None
        The cluster; None takes the current client.
    timeout : int, default=300
        Seconds to wait for a first worker, for all workers to begin, and for a worker that does not answer. A worker
        that dies is detected at once.
    **parameters
        As for :class:`treecca.TreeCCA`, without `view_slices`. `engine="lightgbm"` is refused. `n_jobs` counts the
        threads of every worker; None takes as many as Dask gives the worker.

    Attributes
    ----------
    out_of_fold_variates_ : list of dask arrays
        On the workers, rows in the order of the partitions. Kept while this object or the arrays exist; when a worker
        dies, its part is lost and computing them raises distributed's CancelledError.
    """

    def __init__(
        self, n_components: int = 2, *, client: Client | None = None, timeout: int = 300, **parameters: Any
    ) -> None:
        if "view_slices" in parameters:
            raise TypeError("DaskTreeCCA takes views as a list or mapping, not as slices of one table.")
        super().__init__(n_components, **parameters)
        self.timeout = timeout
        self.client = client

    @classmethod
    def _get_param_names(cls) -> list[str]:
        # Without the client, which belongs to this process and cannot be copied. As in xgboost.dask, clones take the
        # current client.
        return sorted({*TreeCCA._get_param_names(), "timeout"} - {"view_slices"})

    def _core_parameters(self) -> list[str]:
        return [name for name in super()._core_parameters() if name != "timeout"]

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "client": None}

    def fit(
        self, views: Views, y: Any = None, groups: Any = None, sample_weight: Any = None, covariates: None = None
    ) -> DaskTreeCCA:
        """Fit the model; return when the fit has ended.

        Parameters
        ----------
        views : list of, or mapping of name to, Dask arrays or DataFrames
            Two or more views of the same samples in the same order.
        y : ignored
        groups : Dask array or Series of shape (n_samples,), default=None
            Samples of one group share a fold.
        sample_weight : Dask array or Series of shape (n_samples,), default=None
        covariates : None
            Covariates need a fit in one process: see :class:`treecca.TreeCCA`.
        """
        if covariates is not None:
            raise ValueError("Covariates need a fit in one process: use TreeCCA on a sample of the rows.")
        tables = named_tables(views)
        if len(tables) < 2:
            raise ValueError(f"Canonical correlation needs at least two views, got {len(tables)}.")
        timeout = checked_integer("timeout", self.timeout, 1)
        client = self._client()
        parts = client.compute(delayed_parts(tables, groups, sample_weight))
        infos = _infos_of(client, parts, timeout)
        check_infos(list(tables), infos, _core.min_samples)
        estimator = self._in_one_process()
        estimator.random_state = as_seed(self.random_state)
        shards = fit_on_workers(client, estimator, parts, infos, timeout)
        first = shards[0][1]
        assert first.model is not None
        self._take_model(first.model)
        self.n_features_in_ = sum(self.n_features_per_view_)
        self.timings_ = first.timings
        rows, k = [info.rows for info in infos], first.model.n_components
        of_rows = [
            [(shard.numbers, fitted.of_rows[array]) for shard, fitted in shards] for array in range(len(first.of_rows))
        ]
        self.out_of_fold_variates_ = [_on_workers(one, rows, (k,)) for one in of_rows]
        self._take_warnings(first.warnings, [], groups)
        return self

    def _client(self) -> Client:
        client = self.client if self.client is not None else get_client()
        if client.asynchronous:
            raise ValueError("DaskTreeCCA waits for its results: give it a client that is not asynchronous.")
        return client

    def _training_variates(self) -> tuple[list[Any], bool]:
        variates, out_of_fold = super()._training_variates()
        return list(dask.compute(*variates)), out_of_fold

    def report(self, path: Any, labels: Any = None, views: Any = None) -> None:
        """Write a report, as TreeCCA.report; fetches the variates of all training samples, labels and views."""
        given = None if views is None else dask.compute(views)[0]
        super().report(path, labels if labels is None else np.asarray(labels), given)

    # Using --------------------------------------------------------------------------------------------------------

    def transform(self, views: Views, view: int | str | None = None, covariates: None = None) -> Any:
        """Return the variates of new samples: lazily, block by block, for Dask collections; else as in TreeCCA."""
        check_is_fitted(self, "model_")
        if view is not None and dask.is_dask_collection(views):
            return self._lazy(self._view_number(view), views)
        if view is None and not dask.is_dask_collection(views):
            tables = named_tables(views, None if is_named(views) else self.view_names_)
            if any(dask.is_dask_collection(table) for table in tables.values()):
                lazy = {
                    name: None if table is None else self._lazy(self._view_number(name), table)
                    for name, table in tables.items()
                }
                return lazy if is_named(views) else list(lazy.values())
        return super().transform(views, view)

    def _lazy(self, number: int, table: Any) -> Any:
        local = self._local()
        model = dask.delayed(local, traverse=False, pure=False)
        names = self._variate_names(number)
        if is_frame(table):
            import pandas as pd

            meta = pd.DataFrame({name: np.empty(0, np.float32) for name in names})
            return table.map_partitions(_frame_variates, model, number, names, meta=meta)
        if not is_array(table) or table.ndim != 2:
            raise ValueError(f'view "{self.view_names_[number]}" must be a Dask DataFrame or array of two dimensions.')
        check_width(self.view_names_[number], table.shape[1], self.n_features_per_view_[number])
        whole = table.rechunk({1: -1})
        k = self.model_.n_components
        return whole.map_blocks(
            _block_variates,
            model=model,
            number=number,
            dtype=np.float32,
            chunks=(whole.chunks[0], (k,)),
            meta=np.empty((0, 0), np.float32),
        )

    def _in_one_process(self) -> TreeCCA:
        """A TreeCCA with the same parameters, not fitted."""
        return TreeCCA(**{name: getattr(self, name) for name in TreeCCA._get_param_names()})

    def _local(self) -> TreeCCA:
        """The same model for use in one process."""
        local = self._in_one_process()
        local._take_model(self.model_)
        local.n_jobs = 1  # blocks run concurrently
        return local

    def predict(self, views: Views, source: int | str = 0, target: int | str = 1, covariates: None = None) -> Any:
        """Predict as TreeCCA.predict; lazily for Dask collections."""
        check_is_fitted(self, "model_")
        start, goal = self._view_number(source), self._view_number(target)
        table = views
        if not dask.is_dask_collection(views):
            table = named_tables(views, None if is_named(views) else self.view_names_).get(self.view_names_[start])
        if not dask.is_dask_collection(table):
            return super().predict(views, source, target)
        return self._lazy(start, table) * self.model_.regression(start, goal).astype(np.float32)

    def score(self, views: Views, y: Any = None, covariates: None = None) -> float:
        """Return the score as TreeCCA.score; fetches the variates from the workers."""
        variates = self.transform(views)
        tables = list(variates.values() if isinstance(variates, dict) else variates)
        if any(table is None for table in tables) or len(tables) != len(self.view_names_):
            raise ValueError(f"score needs every view of the model: {', '.join(self.view_names_)}.")
        lazy = [table.values if is_frame(table) else table for table in tables]
        return metrics.score([np.asarray(values) for values in dask.compute(*lazy)])


def _infos_of(client: Client, parts: list[Any], timeout: int) -> list[PartInfo]:
    """Wait for the parts; RuntimeError when there has been no worker for `timeout` seconds."""
    infos = [client.submit(info_of, part, pure=False) for part in parts]
    worker_seen = time.monotonic()
    while not all(info.done() for info in infos):
        time.sleep(_POLL_SECONDS)
        if client.nthreads():
            worker_seen = time.monotonic()
        elif time.monotonic() > worker_seen + timeout:
            client.cancel([*infos, *parts], force=True)
            raise RuntimeError(
                f"The cluster has had no worker for {timeout} seconds. Start workers (client.cluster.scale(2), or dask "
                "worker ...), or set a longer timeout where they take longer to start."
            )
    for part in parts:
        if part.status == "error":
            raise part.exception()
    found: list[PartInfo] = client.gather(infos)
    return found


def _on_workers(shards: list[tuple[list[int], list[Any]]], rows: list[int], width: tuple[int, ...]) -> Any:
    """The data of all parts on the workers, given as (numbers of parts, data), as one Dask array."""
    blocks: list[Any] = [None] * len(rows)
    for numbers, kept in shards:
        for number, one in zip(numbers, kept, strict=True):
            blocks[number] = da.from_delayed(one, (rows[number], *width), dtype=np.float32)
    return da.concatenate(blocks)


def _block_variates(block: Any, model: TreeCCA, number: int) -> Any:
    if len(block) == 0:
        return np.empty((0, model.model_.n_components), np.float32)
    return model.transform(block, view=number).astype(np.float32, copy=False)


def _frame_variates(frame: Any, model: TreeCCA, number: int, names: list[str]) -> Any:
    import pandas as pd

    return pd.DataFrame(_block_variates(frame, model, number), index=frame.index, columns=names)
