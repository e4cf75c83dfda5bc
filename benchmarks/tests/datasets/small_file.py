"""A small .npz file in the layout of benchmarks/datasets/plain.py."""

import numpy as np


def write_npz(path, **changes):
    """Write the file with these arrays changed (None omits one); return its content."""
    rng = np.random.default_rng(0)
    content = {
        "view0": rng.normal(size=(6, 3)).astype(np.float32),
        "view1": rng.normal(size=(6, 2)).astype(np.float32),
        "view_names": np.array(["a", "b"]),
        "y": np.array([0, 1, 2, 0, 1, 2]),
    } | changes
    np.savez(path, **{key: value for key, value in content.items() if value is not None})
    return content
