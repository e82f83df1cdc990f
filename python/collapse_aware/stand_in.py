"""What training goes on with while the gateway is down: nothing is weighed, dropped or held."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Dict, List, Mapping, Sequence

Json = Dict[str, Any]


def _note(why: str) -> str:
    return f"the gateway was not asked ({why}): this stands in for its answer"


def accept_all(groups: Sequence[Mapping[str, Any]], why: str) -> List[Json]:
    return [
        {
            "group": group.get("id") or next(iter(group["sessions"]), ""),
            "decision": "accept",
            "reasons": [_note(why)],
            "usable": list(group["sessions"]),
            "dropped": [],
        }
        for group in groups
    ]


def weights_of_one(ids: Sequence[str], why: str) -> Json:
    return {"weights": {one: 1.0 for one in ids}, "unknown": [], "ess": len(ids), "notes": [_note(why)]}


def keep_all(candidates: Sequence[Mapping[str, Any]], why: str) -> Json:
    """Keeps everybody, each and every pair of a group with certainty."""
    ids = [one["id"] for one in candidates]
    groups: Dict[str, List[str]] = {}
    for one in candidates:
        if one.get("group") is not None:
            groups.setdefault(one["group"], []).append(one["id"])
    pairs = [{"a": a, "b": b, "joint": 1.0} for group in groups.values() for a, b in combinations(group, 2)]
    return {
        "kept": ids,
        "inclusion": {one: 1.0 for one in ids},
        "pairs": pairs,
        "unknown": [],
        "seed": _note(why),
    }


def none_taken(ids: Sequence[str], why: str) -> Json:
    return {
        "accepted": 0,
        "rejected": [{"id": one, "code": "unavailable", "reason": _note(why)} for one in ids],
    }


def go_on(why: str) -> Json:
    return {"training": "go", "level": "green", "reasons": [_note(why)], "view": None}
