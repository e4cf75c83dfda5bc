"""Runs the treecca CLI: finds it, passes data as NPY files and reads its output files."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from treecca.datasets import MultiviewDataset

# Runs between this process and the CLI to measure the CLI's own peak memory: a child inherits the high-water mark of
# its parent.
_MEASURE = """
import json, resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
with open(sys.argv[1], "w") as out:
    json.dump({"code": code, "peak_kb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}, out)
"""


def digest(path: str | Path) -> str:
    """Identify a build of the CLI or the extension module: kept results of other builds are not used."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]


class RunFailed(Exception):
    """The CLI ended with an error; the message quotes it."""


def find_program(given: str | None = None) -> str:
    """Return the CLI given by --treecca, TREECCA_BIN, the release build of this checkout, or PATH, in this order."""
    for named in (given, os.environ.get("TREECCA_BIN")):
        if named and not os.access(named, os.X_OK):
            raise RunFailed(f"{named} is not an executable file.")
        if named:
            return str(Path(named).resolve())
    built = Path(__file__).resolve().parent.parent / "build" / "release" / "bin" / "treecca"
    found = str(built) if os.access(built, os.X_OK) else shutil.which("treecca")
    if found:
        return found
    raise RunFailed("The treecca CLI was not found. Build it (make), or set --treecca or TREECCA_BIN to its path.")


@dataclass
class Fit:
    """Output of a fit, and the seconds of the whole CLI call."""

    summary: dict  # output of --json
    model: dict  # model.json
    folder: Path
    seconds: float
    peak_mb: float

    @property
    def parameters(self) -> dict:
        return self.model["parameters"]

    @property
    def rounds(self) -> int:
        return self.model["rounds"]

    @property
    def timings(self) -> dict[str, float]:
        """Return the seconds by stage."""
        return self.summary["seconds"]

    def total(self, kind: str) -> float | None:
        """Return the reported TCC: out_of_fold, in_sample, linear_out_of_fold or linear_in_sample."""
        return self.summary["tcc"][kind]


class Workspace:
    """A temporary folder with the views of one data set, as a context manager."""

    def __init__(self, program: str, data: MultiviewDataset):
        self.program = program
        self.data = data

    def __enter__(self) -> Workspace:
        self.folder = Path(tempfile.mkdtemp(prefix="treecca-bench-"))
        for part, views in (("train", self.data.views), ("test", self.data.test_views or [])):
            for i, view in enumerate(views):
                np.save(self.folder / f"{part}{i}.npy", view)
        if self.data.groups is not None:
            (self.folder / "groups.csv").write_text("\n".join(str(g) for g in self.data.groups) + "\n")
        return self

    def __exit__(self, *_) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _view_arguments(self, part: str) -> list[str]:
        return [a for i in range(self.data.n_views) for a in ("--view", f"v{i}={self.folder / f'{part}{i}.npy'}")]

    def run(self, arguments: list[str]) -> tuple[str, float, float]:
        """Return standard output, seconds and peak memory (MB) of one call."""
        report = self.folder / "measure.json"
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-S", "-c", _MEASURE, str(report), self.program, *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.perf_counter() - start
        if done.returncode != 0 or not report.exists():
            raise RunFailed(f"{self.program} could not be started: {done.stderr.strip()}")
        measured = json.loads(report.read_text())
        if measured["code"] != 0:
            raise RunFailed(f"treecca {' '.join(arguments)}\nended with {measured['code']}: {done.stderr.strip()}")
        return done.stdout, seconds, measured["peak_kb"] / 1024

    def fit(self, settings: dict[str, str], seed: int, threads: int | None = None) -> Fit:
        """settings: parameter name -> text, as for the CLI."""
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        arguments = ["fit", *self._view_arguments("train"), "--out", str(out), "--json"]
        arguments += ["--n_components", str(self.data.k), "--random_state", str(seed)]
        if self.data.groups is not None:
            arguments += ["--groups", str(self.folder / "groups.csv")]
        if threads is not None:
            arguments += ["--threads", str(threads)]
        for name, value in settings.items():
            arguments += [f"--{name}", value]
        stdout, seconds, peak = self.run(arguments)
        model = json.loads((out / "model.json").read_text())
        return Fit(json.loads(stdout), model, out, seconds, peak)

    def train_variates(self, fit: Fit) -> list[np.ndarray]:
        return [_read_variates(fit.folder / f"variates_v{i}.csv") for i in range(self.data.n_views)]

    def test_variates(self, fit: Fit) -> list[np.ndarray]:
        variates = []
        for i in range(self.data.n_views):
            out = self.folder / "z.csv"
            view = f"v{i}={self.folder / f'test{i}.npy'}"
            self.run(["transform", str(fit.folder / "model.json"), "--view", view, "--out", str(out)])
            variates.append(_read_variates(out))
        return variates


def _read_variates(path: Path) -> np.ndarray:
    """Return the columns after the sample id."""
    with path.open() as lines:
        width = lines.readline().count(",")
        return np.loadtxt(lines, delimiter=",", usecols=range(1, width + 1), ndmin=2)
