"""The control API of a gateway, for a trainer: one HTTP call a step, everything found by id."""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, TypeVar, Union
from urllib.parse import quote

from . import stand_in
from .flat_metrics import flat_metrics
from .session_headers import session_headers
from .transport import GatewayError, Transport

Json = Dict[str, Any]
T = TypeVar("T")
LOG = logging.getLogger("collapse_aware")
#: Seconds that one request for the gate is held at most, and at least between two of them.
LONGEST_WAIT, SHORTEST_WAIT = 30.0, 0.2
#: Names of a session's fields as Python spells them, and as the API does.
_SPELT = {"context_label": "contextLabel", "agent_seed": "agentSeed", "user_seed": "userSeed"}


class CollapseAwareClient:
    """A gateway's control API. Safe to share among threads.

    base_url: root of the gateway, e.g. ``http://127.0.0.1:8420``. admin_key: key of the control API.
    timeout: seconds of one attempt. total: seconds of one call, its attempts and waits together.
    retries: attempts after the first, on 408, 429, 502, 503, 504 and broken connections.
    failopen: True (the default): while the gateway is down training goes on - weight 1, accept, green, everybody
    selected - and ``metrics()`` has ``collapse_aware/up`` 0. False: GatewayError is raised. What the gateway refuses
    (400, 401, 404) is raised always.
    """

    #: For a request of an OpenAI client: ``extra_headers=client.session_headers("session-1", group="g1")``.
    session_headers = staticmethod(session_headers)

    def __init__(
        self,
        base_url: str,
        admin_key: Optional[str] = None,
        *,
        timeout: float = 10.0,
        total: float = 30.0,
        retries: int = 2,
        failopen: bool = True,
    ) -> None:
        self._transport = Transport(base_url, admin_key, timeout, total, retries)
        self._failopen = failopen
        self._stood_in = 0
        self._lock = threading.Lock()

    def record(self, trajectories: Sequence[Mapping[str, Any]]) -> Json:
        """Episodes that the gateway did not serve, as native records. ``{accepted, rejected: [{id, code, reason}]}``."""
        rows = list(trajectories)
        return self._or_else(lambda: self._recorded(rows), lambda why: stand_in.none_taken(_ids(rows, "id"), why))

    def rewards(self, rewards: Union[Mapping[str, Optional[float]], Sequence[Mapping[str, Any]]]) -> Json:
        """Rewards by session id: ``{id: reward}`` or ``[{session, reward, outcome, termination, close}]``.

        A session ends with its reward unless ``close`` is False. A reward that is NaN, as trainers write where there is
        none, is sent as none.
        """
        entries: List[Json] = (
            [{"session": session, "reward": reward} for session, reward in rewards.items()]
            if isinstance(rewards, Mapping)
            else [dict(entry) for entry in rewards]
        )
        for entry in entries:
            entry["reward"] = _number_or_none(entry.get("reward"))
        return self._or_else(
            lambda: self._post("/api/rewards", {"rewards": entries}),
            lambda why: stand_in.none_taken(_ids(entries, "session"), why),
        )

    def rewards_from_dump(self, rows: Sequence[Any], format: Optional[str] = None) -> Json:
        """Rewards from rows of a trainer's own dump; the format is recognised where none is named."""
        body = _without_none({"rows": list(rows), "format": format})
        return self._or_else(
            lambda: self._post("/api/rewards/dump", body), lambda why: stand_in.none_taken([], why)
        )

    def epochs(
        self, epoch: int, *, run: Optional[str] = None, policy: Optional[str] = None, checkpoint: Optional[str] = None
    ) -> Json:
        """The trainer begins an epoch; answers as ``gate`` does."""
        body: Json = {"epoch": int(epoch)}
        if run is not None:
            body["run"] = run
        if policy is not None:
            body["policy"] = {"id": policy, "checkpoint": checkpoint}
        return self._or_else(lambda: _reply(self._post("/api/epochs", body)), stand_in.go_on)

    def decide(self, groups: Sequence[Mapping[str, Any]], *, zero_variance: Optional[str] = None) -> List[Json]:
        """``[{id, sessions}]`` -> ``[{group, decision: accept|reject|defer, reasons, usable, dropped}]``."""
        asked = [dict(group) for group in groups]
        body = _without_none({"groups": asked, "zeroVariance": zero_variance})
        return self._or_else(
            lambda: self._post("/api/decide", body)["decisions"], lambda why: stand_in.accept_all(asked, why)
        )

    def weights(self, ids: Iterable[str], *, recipe: Any = None) -> Json:
        """``{weights: {id: weight}, unknown, ess, notes}``, mean 1 over the known ids.

        Multiply ADVANTAGES after group normalisation, never rewards: dividing by the group's deviation undoes those.
        """
        asked = [str(one) for one in ids]
        body = _without_none({"ids": asked, "recipe": recipe})
        return self._or_else(lambda: self._post("/api/weights", body), lambda why: stand_in.weights_of_one(asked, why))

    def select(self, candidates: Iterable[Union[str, Mapping[str, Any]]], n: int, *, recipe: Any = None) -> Json:
        """Keeps n candidates (ids, or ``{id, group}``) of each group: ``{kept, inclusion: {id: chance}, pairs, ...}``."""
        asked = [one if isinstance(one, Mapping) else {"id": str(one)} for one in candidates]
        body = _without_none({"candidates": asked, "n": int(n), "recipe": recipe})
        return self._or_else(lambda: self._post("/api/select", body), lambda why: stand_in.keep_all(asked, why))

    def gate(self, *, after: Optional[int] = None, wait: float = 0.0) -> Json:
        """``{training: go|hold, level: green|yellow|red|half-open, reasons, view}``; view is None where it is down.

        With ``after`` (``view["revision"]``) and ``wait`` (seconds) the answer comes when something has changed, or the
        time is over.
        """
        query = {"after": after, "wait": wait or None}
        return self._or_else(
            lambda: _reply(self._transport.call("GET", "/api/gate", query=query, held=wait)), stand_in.go_on
        )

    def wait_for_green(self, max_seconds: float = 300.0) -> Json:
        """Waits while training is held; ``timed_out`` is True where it still is after ``max_seconds``.

        Ask on rank 0 and broadcast; stay well under the time-out of collective operations (about ten minutes).
        """
        until = time.monotonic() + max_seconds
        reply = self.gate()
        while reply["training"] == "hold":
            left = until - time.monotonic()
            if left <= 0:
                return {**reply, "timed_out": True}
            view = reply["view"] or {}
            reply = self.gate(after=view.get("revision"), wait=min(LONGEST_WAIT, left))
            if reply["training"] == "hold":
                time.sleep(min(SHORTEST_WAIT, left))
        return {**reply, "timed_out": False}

    def open_session(self, **session: Any) -> Json:
        """A session made beforehand (id, model, group, epoch, run, policy, context_label, nested): ``{id, key, baseUrl, ...}``.

        ``nested`` is ``{"agent_seed", "user_seed"}``. The API's own spelling (contextLabel, agentSeed) is taken too.
        """
        body = _without_none({_SPELT.get(name, name): value for name, value in session.items()})
        nested = body.get("nested")
        if isinstance(nested, Mapping):
            body["nested"] = {_SPELT.get(name, name): value for name, value in nested.items()}
        return self._post("/api/sessions", body)

    def sessions(self, **query: Any) -> Json:
        """A page of them, newest first: state, member, epoch, text (part of an id), after, limit -> ``{sessions, next, total}``."""
        return self._get("/api/sessions", query)

    def session(self, session: str) -> Json:
        return self._get(f"/api/sessions/{quote(session, safe='')}")

    def end_session(self, session: str, termination: str) -> None:
        self._post(f"/api/sessions/{quote(session, safe='')}/end", {"termination": termination})

    def trajectories(self, *, purpose: Union[None, str, Iterable[str]] = None, **query: Any) -> Iterator[Json]:
        """Native records, one by one as they are sent: of (window, closed, all), epoch, split, member.

        ``purpose``: which of training, panel, probe and nested. Without it, training and panel: the others are no
        training data.
        """
        if purpose is not None:
            query["purpose"] = purpose if isinstance(purpose, str) else ",".join(purpose)
        for line in self._transport.lines("/api/trajectories", query):
            yield json.loads(line)

    def metrics(self) -> Dict[str, float]:
        """A flat dict of numbers for the trainer's tracker, never None (docs/gateway-clients.md)."""
        view: Optional[Json] = None
        gate: Optional[Json] = None
        try:
            view, gate = self.live_metrics(), self._get("/api/gate")
        except GatewayError as error:
            if not (self._failopen and error.passing):
                raise
            view = None
        return flat_metrics(view, gate, self.counts)

    def live_metrics(self) -> Json:
        """Everything behind ``metrics()``: the report of the present window, with intervals."""
        return self._get("/api/metrics")

    def looks(self, limit: Optional[int] = None) -> Json:
        return self._get("/api/looks", {"limit": limit})

    def status(self) -> Json:
        return self._get("/api/status")

    def population(self) -> Json:
        return self._get("/api/population")

    def set_population(self, population: Any, by: str) -> Json:
        """population: as in the settings file. by: who changes it, for the journal."""
        return self._transport.call("PUT", "/api/population", {"population": population, "by": by})

    def set_weights(self, weights: Mapping[str, float], by: str) -> Json:
        """Weights of the draw, by member."""
        return self._transport.call("PATCH", "/api/population/weights", {"weights": dict(weights), "by": by})

    def push_checkpoint(self, member: str, checkpoint: str, by: str = "trainer") -> List[str]:
        """A new checkpoint for a member that is a pool; the oldest goes."""
        path = f"/api/population/{quote(member, safe='')}/checkpoints"
        return self._post(path, {"checkpoint": checkpoint, "by": by})["checkpoints"]

    def override(self, level: str, *, by: str, reason: str, seconds: Optional[float] = None) -> Json:
        """An operator's level, which stands over the rules' until it lapses or is released."""
        return self._post(
            "/api/breaker", _without_none({"level": level, "by": by, "reason": reason, "seconds": seconds})
        )

    def release(self, by: str) -> Json:
        return self._post("/api/breaker", {"release": True, "by": by})

    @property
    def counts(self) -> Dict[str, int]:
        """Since this client was made: requests, retries, and answers that stood in for the gateway's."""
        return {**self._transport.counts, "stood_in": self._stood_in}

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> CollapseAwareClient:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _recorded(self, rows: List[Mapping[str, Any]]) -> Json:
        try:
            return self._post("/api/record", {"trajectories": rows})
        except GatewayError as error:
            if error.status != 413 or len(rows) < 2:
                raise
        middle = (len(rows) + 1) // 2
        parts = [self._recorded(rows[:middle]), self._recorded(rows[middle:])]
        return {
            "accepted": sum(part["accepted"] for part in parts),
            "rejected": [one for part in parts for one in part["rejected"]],
        }

    def _get(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        return self._transport.call("GET", path, query=query)

    def _post(self, path: str, body: Any) -> Any:
        return self._transport.call("POST", path, body)

    def _or_else(self, ask: Callable[[], T], instead: Callable[[str], T]) -> T:
        try:
            return ask()
        except GatewayError as error:
            if not (self._failopen and error.passing):
                raise
            with self._lock:
                self._stood_in += 1
                number = self._stood_in
            # Every step would say it: the first of them, and then ever more rarely.
            if number & (number - 1) == 0:
                LOG.warning("%s; training goes on without it (%d answers so far)", error, number)
            return instead(str(error))


def _reply(view: Json) -> Json:
    return {"training": view["training"], "level": view["level"], "reasons": view["reasons"], "view": view}


def _without_none(values: Mapping[str, Any]) -> Json:
    return {name: value for name, value in values.items() if value is not None}


def _ids(rows: Iterable[Mapping[str, Any]], key: str) -> List[str]:
    return [str(row.get(key, "")) for row in rows]


def _number_or_none(value: Any) -> Optional[float]:
    return None if value is None or math.isnan(float(value)) else float(value)
