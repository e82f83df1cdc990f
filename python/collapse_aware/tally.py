"""What became of rollouts and of questions to the gateway, counted since the run began."""

from __future__ import annotations

import threading
from typing import Dict

#: Every count there is: one that is 0 is shown as 0.
COUNTS = (
    "rollouts",
    "rollouts_failed",
    "rollouts_stood_in",
    "rollouts_dropped",
    "groups_rejected",
    "groups_deferred",
    "turns_held",
    "weights_unknown",
    "rewards_refused",
    "steps_without_rollouts",
    "holds",
    "holds_timed_out",
    "holds_overridden",
    "probes",
)


class Tally:
    def __init__(self) -> None:
        self._counts = dict.fromkeys(COUNTS, 0)
        self._seconds_held = 0.0
        self._lock = threading.Lock()

    def add(self, name: str, by: int = 1) -> None:
        with self._lock:
            self._counts[name] += by

    def held(self, seconds: float) -> None:
        with self._lock:
            self._seconds_held += seconds

    def __getitem__(self, name: str) -> int:
        return self._counts[name]

    def numbers(self) -> Dict[str, float]:
        with self._lock:
            return {**self._counts, "seconds_held": self._seconds_held}
