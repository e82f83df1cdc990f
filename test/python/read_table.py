"""Rows and column types of a file as `datasets` loads it: read_table.py json|parquet|table FILE.

`table` is Parquet through Arrow, for files without rows: `load_dataset` takes none of those.
"""

import json
import sys
import tempfile

import datasets
from pyarrow import parquet

datasets.disable_progress_bars()
kind, path = sys.argv[1:]
with tempfile.TemporaryDirectory() as cache:
    if kind == "table":
        rows = datasets.Dataset(parquet.read_table(path))
    else:
        rows = datasets.load_dataset(kind, data_files=path, split="train", cache_dir=cache)
    print(json.dumps({"features": {name: str(kind) for name, kind in rows.features.items()}, "rows": list(rows)}))
