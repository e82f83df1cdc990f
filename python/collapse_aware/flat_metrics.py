"""The live figures as one flat dict of numbers, for a trainer's own tracker."""

from __future__ import annotations

import math
from typing import Any, Dict, Mapping, Optional

PREFIX = "collapse_aware/"
LEVELS = {"green": 0, "yellow": 1, "red": 2, "half-open": 2}

#: Name in the tracker, and where the figure stands in the report of ``GET /api/metrics``.
FIGURES = {
    "scd2_all": ("scd", "pooled2"),
    "scd_within": ("scd", "within"),
    "bdi": ("bdi", "headline"),
    "realism": ("bdi", "realism"),
    "psod": ("psod",),
    "psod_rise": ("psod", "rise"),
    "zero_variance": ("health", "zeroVariance", "share"),
    "epsilon_member": ("epsilon", "member"),
    "epsilon_population": ("epsilon", "population"),
}

#: The same of the training members alone, as in the breaker's looks.
TRAINING = {"scd2": ("scd2",), "scd": ("scd",), "mci": ("mci", "figure")}


def flat_metrics(
    view: Optional[Mapping[str, Any]],
    gate: Optional[Mapping[str, Any]],
    counts: Mapping[str, float],
) -> Dict[str, float]:
    """Numbers alone, never None: what is missing is left out, and ``<name>_missing`` is 1.

    view: of ``GET /api/metrics``; None where the service is down.
    """
    flat: Dict[str, float] = {PREFIX + "up": 0 if view is None else 1}

    def put(name: str, value: Any) -> None:
        if is_number(value):
            flat[PREFIX + name] = value
        else:
            flat[PREFIX + name + "_missing"] = 1

    for name, value in counts.items():
        put(name, value)
    if view is None:
        return flat
    gate = gate or {}
    put("level", LEVELS.get(gate.get("level", "")))
    put("hold", {"hold": 1, "go": 0}.get(gate.get("training", "")))
    put("epoch", gate.get("epoch"))
    due = at(gate, "psod", "due")
    put("psod_due", None if due is None else int(due))
    put("window_sessions", at(view, "window", "sessions"))
    figures = {name: at(view, "report", *path) for name, path in FIGURES.items()}
    figures.update({name: at(view, "training", *path) for name, path in TRAINING.items()})
    figures["variance_simulator"] = at(view, "varianceSplit", "simulator")
    figures["variance_agent"] = at(view, "varianceSplit", "agent")
    for name, figure in figures.items():
        put(name, at(figure, "value"))
        for end in ("low", "high"):
            bound = at(figure, end)
            if is_number(bound):
                flat[f"{PREFIX}{name}_{end}"] = bound
    return flat


def at(value: Any, *path: str) -> Any:
    """The value at a path of keys; None where it ends before."""
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
