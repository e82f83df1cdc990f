"""Rewards of a benchmark's own results to the gateway's sessions: python report_rewards.py GATEWAY results.json ...

The gateway finds the sessions by what was said in them. Rows without a reward stay without one.
"""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

from collapse_aware import CollapseAwareClient


def main():
    gateway, *files = sys.argv[1:]
    client = CollapseAwareClient(gateway, os.environ["CA_ADMIN_KEY"], failopen=False)
    accepted, rejected = 0, {}
    for file in files:
        receipt = client.rewards_from_dump([json.loads(Path(file).read_text(encoding="utf-8"))])
        accepted += receipt["accepted"]
        for one in receipt["rejected"]:
            rejected[one["code"]] = rejected.get(one["code"], 0) + 1
    print(f"{accepted} rewards taken; not taken: {rejected or 'none'}")


if __name__ == "__main__":
    main()
