"""Sizes, settings and timing that all parts of the speed benchmark share."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import Any

from treecca.datasets import MultiviewDataset, make_signed_power

TREES = {"max_depth": 5, "subsample": 0.8, "colsample_bytree": 0.8, "min_child_weight": 20, "learning_rate": 0.1}


@dataclass(frozen=True)
class Size:
    """n samples, p features per view, k components."""

    n: int
    p: int
    k: int

    @classmethod
    def parse(cls, text: str) -> Size:
        n, p, k = (int(part) for part in text.lower().split("x"))
        return cls(n, p, k)

    def data(self) -> MultiviewDataset:
        """Views that share up to five components."""
        shared = min(self.k, 5)
        data = make_signed_power(
            self.n, n_components=shared, n_noise_features=self.p - shared, test_size=0, random_state=0
        )
        return replace(data, k=self.k)

    def fields(self) -> dict[str, int]:
        return {"n": self.n, "p": self.p, "k": self.k}


SCALAR_SIZES = ("2400x8x3", "20000x50x5", "50000x392x10", "500000x20x5")
JOINT_SIZES = ("20000x50x10", "20000x50x50")


@dataclass(frozen=True)
class Options:
    sizes: tuple[Size, ...]
    repeats: int
    threads: int
    program: str  # the CLI
    budget: float  # seconds: no further repeat of a case begins after this


def seconds_of(work: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def timed_in_turns(timers: dict[str, Callable[[], float]], repeats: int, budget: float) -> dict[str, list[float]]:
    """Times all programs in turns, so that other load affects all of them. The slowest of them limits the repeats."""
    times: dict[str, list[float]] = {name: [] for name in timers}
    begin = time.perf_counter()
    for _ in range(repeats):
        for name, timer in timers.items():
            times[name].append(timer())
        if time.perf_counter() - begin > budget:
            break
    return times


def record(part: str, size: Size, program: str, unit: str, values: list[float], **more: Any) -> dict[str, Any]:
    rounded = [float(f"{value:.4g}") for value in values]
    return {
        "part": part,
        **size.fields(),
        "program": program,
        "unit": unit,
        "median": median(rounded),
        "all": rounded,
    } | more


def processor() -> tuple[str, list[str]]:
    """Name of the processor, and the instruction sets that matter here."""
    name, flags = platform.machine(), []
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = dict(line.split(":", 1) for line in cpuinfo.read_text().splitlines() if ":" in line)
        lines = {key.strip(): value.strip() for key, value in lines.items()}
        name = lines.get("model name", name)
        flags = [flag for flag in ("avx2", "fma", "avx512f", "avx512bw") if flag in lines.get("flags", "").split()]
    return name, flags


def version_of(package: str) -> str | None:
    for name in (package, f"{package}-cpu"):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return None


def machine(threads: int) -> dict[str, Any]:
    name, flags = processor()
    return {
        "part": "machine",
        "processor": name,
        "processors": os.cpu_count(),
        "threads": threads,
        "instruction_sets": flags,
        "kernels": os.environ.get("TREECCA_KERNELS", "best"),
        "load_before": round(os.getloadavg()[0], 2),
        "versions": {name: version_of(name) for name in ("treecca", "lightgbm", "xgboost", "cca-zoo", "numpy")},
    }
