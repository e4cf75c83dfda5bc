"""Every table and figure of the TreeCCA paper, with our figures beside the paper's: `python -m benchmarks.paper`.

An experiment (`experiments/`) names the units of work that it needs and writes a section of the page from their
results. A unit is a task (`tasks`) with arguments; its result is kept by `cache`, so that a run that was interrupted
goes on, and experiments that need the same fit share it. `protocol` says how embeddings are judged, `published` holds
the paper's figures, `baselines/` the methods to compare with, and `page` puts the page together.
"""

import sys
from pathlib import Path

# The commands beside this package are scripts that import each other by plain name; some of them serve here as well.
_SCRIPTS = str(Path(__file__).resolve().parents[1])
if _SCRIPTS not in sys.path:
    sys.path.append(_SCRIPTS)
