"""A verl export through verl's own data set: read_verl.py FILE. Prints every row, and the batch verl collates."""

import contextlib
import importlib.util
import json
import sys
import tempfile
import types

# The package's own start needs Ray, which reading a data set does not: its modules are loaded without it.
found = importlib.util.find_spec("verl")
package = types.ModuleType("verl")
package.__path__ = list(found.submodule_search_locations)
package.__spec__ = found
sys.modules["verl"] = package

from omegaconf import OmegaConf  # noqa: E402
from tiny import tokenizer  # noqa: E402
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn  # noqa: E402

with tempfile.TemporaryDirectory() as cache, contextlib.redirect_stdout(sys.stderr):
    config = OmegaConf.create({"cache_dir": cache, "max_prompt_length": 100_000, "filter_overlong_prompts_workers": 1})
    data = RLHFDataset(sys.argv[1], tokenizer(), config)
    rows = [data[at] for at in range(len(data))]
    batch = collate_fn([data[at] for at in range(len(data))]) if rows else {}

for row in rows:
    row.pop("dummy_tensor")
print(json.dumps({"rows": rows, "batch": {name: list(values.shape) for name, values in batch.items()}}))
