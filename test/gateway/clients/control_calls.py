"""The Python client against a real gateway: python control_calls.py ROOT ADMIN_KEY. Prints one JSON object."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../python"))
from collapse_aware import CollapseAwareClient, GatewayError  # noqa: E402

root, key = sys.argv[1:3]
ids = sys.argv[3:]
client = CollapseAwareClient(root, key)
out = {
    "opened": client.open_session(id="from-python", group="g", epoch=0),
    "rewards": client.rewards({one: at % 2 for at, one in enumerate(ids)}),
    "trajectories": {one["id"]: one["reward"] for one in client.trajectories(of="closed")},
    "decide": client.decide([{"id": "g", "sessions": ids[::-1]}]),
    "weights": client.weights([*ids[::-1], "nobody"]),
    "select": client.select(ids, 2),
    "gate": client.wait_for_green(1)["training"],
    "epoch": client.epochs(3)["view"]["epoch"],
    "sessions": client.sessions(limit=2)["total"],
    "override": client.override("red", by="test", reason="to see", seconds=60)["level"],
    "held": client.wait_for_green(0)["timed_out"],
    "metrics": client.metrics(),
    "released": client.release("test")["level"],
    "population": [member["id"] for member in client.population()["members"]],
}
out["recorded"] = client.record([next(client.trajectories(of="closed"))])
try:
    CollapseAwareClient(root, "wrong").weights(ids)
except GatewayError as error:
    out["wrong"] = [error.status, error.code]
print(json.dumps(out))
