"""preset="auto" against a reference in NumPy: alignment, held-out covariances, choice and standard errors."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import reference_blend as blend

PROGRAM = Path(os.environ.get("TREECCA_PARTS", Path(__file__).parents[2] / "build/dev/tests/reference/treecca_parts"))


@pytest.mark.skipif(not PROGRAM.exists(), reason="needs treecca_parts of the C++ tests (make test builds it)")
@pytest.mark.parametrize("case", range(4))
def test_steps_5_to_11_agree_with_the_reference(case: int) -> None:
    told = json.loads(subprocess.run([PROGRAM, str(case)], check=True, capture_output=True, text=True).stdout)
    n, k = told["rows"], told["components"]
    groups = np.array(told["groups"]) if told["groups"] else None
    held_out = np.array(told["held_out"], dtype=int)

    def views(lists: list[list[float]], rows: int = n) -> list[np.ndarray]:
        return [np.reshape(numbers, (rows, k)) for numbers in lists]

    parts = [(views(part["trees"]), views(part["linear"])) for part in told["parts"]]
    candidates = []
    for found in told["candidates"]:
        expected = blend.Candidate([blend.blend(*part, found["weight"]) for part in parts], held_out)
        candidates.append(expected)
        np.testing.assert_allclose(views(found["alignment"], k), expected.alignment, atol=1e-8)
        np.testing.assert_allclose(found["own"], expected.own(), atol=1e-8)
        np.testing.assert_allclose(found["plain"], expected.plain(), atol=1e-8)
        # Rotations have signs and a scale of their own.
        for ours, theirs in zip(views(found["rotation"], k), expected.rotation, strict=True):
            ratio = ours / theirs
            np.testing.assert_allclose(np.abs(ratio), np.abs(ratio[0, 0]), rtol=1e-6)
        for ours, theirs in zip(views(found["rows"]), expected.rows, strict=True):
            ours, theirs = np.abs(ours), np.abs(theirs)
            np.testing.assert_allclose(ours / ours.std(0), theirs / theirs.std(0), atol=0.05)
    best = int(np.argmax([blend.total(c.plain()) for c in candidates]))
    assert told["best"] == best
    np.testing.assert_allclose(told["correlations"], blend.nested(candidates), atol=1e-8)
    np.testing.assert_allclose(told["standard_errors"], candidates[best].standard_errors(groups), atol=1e-8)
