"""A verifiers export through verifiers' own reader: read_verifiers.py FOLDER, which holds results.jsonl."""

import json
import sys
from pathlib import Path

from datasets import Dataset
from verifiers.utils.save_utils import load_outputs

rows = load_outputs(Path(sys.argv[1]))
table = Dataset.from_list([dict(row, info=json.dumps(row["info"])) for row in rows])
print(json.dumps({"rows": [dict(row) for row in rows], "features": {k: str(v) for k, v in table.features.items()}}))
