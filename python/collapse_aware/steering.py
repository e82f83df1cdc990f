"""What a trainer asks of a gateway in a step: epoch, rewards, decisions, weights, gate. Every row is found by its id."""

from __future__ import annotations

import logging
import math
import os
import secrets
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from .client import CollapseAwareClient
from .gateway_users import GatewayUsers
from .tally import Tally
from .transport import GatewayError

Json = Dict[str, Any]
LOG = logging.getLogger("collapse_aware")
#: Rewards that are kept for a gateway that is down.
MOST_OWED = 100_000


class Steering:
    """One run of a trainer behind one gateway.

    base_url, admin_key: the control API. api_key: of the chat API, where it has one.
    run: names the run, its sessions and groups; made up where None. policy: who is being trained.
    failopen: True: while the gateway is down training goes on, with weight 1 and everybody usable, and
    ``numbers()`` counts it. False: it waits for ``hold_seconds`` and then ends with GatewayError.
    hold_seconds: how long training waits at the gate. after_hold: ``go`` on (the default with ``failopen``) or ``stop``
    with TrainingHeld where the gate still says hold after that.
    override_file: while this file exists, the gate is passed whatever it says.
    epoch_steps: training steps of an epoch.
    decide, weigh: whether the gateway's decisions and weights are asked for. zero_variance, recipe: as for the client.
    model, panel: whom training and evaluation meet. users: another source of the users' turns.
    """

    def __init__(
        self,
        base_url: str,
        admin_key: Optional[str] = None,
        *,
        api_key: Optional[str] = None,
        run: Optional[str] = None,
        policy: str = "policy",
        failopen: bool = True,
        hold_seconds: float = 3600.0,
        after_hold: Optional[str] = None,
        override_file: Optional[str] = None,
        epoch_steps: int = 1,
        decide: bool = True,
        weigh: bool = True,
        zero_variance: Optional[str] = None,
        recipe: Any = None,
        model: str = "population",
        panel: str = "panel/selection",
        stand_in: Optional[Callable[[List[Json]], str]] = None,
        users: Optional[GatewayUsers] = None,
        client: Optional[CollapseAwareClient] = None,
    ) -> None:
        if after_hold not in (None, "go", "stop"):
            raise ValueError(f'after_hold must be "go" or "stop", not {after_hold!r}')
        if epoch_steps < 1:
            raise ValueError(f"an epoch has at least one step, not {epoch_steps}")
        self.client = client or CollapseAwareClient(base_url, admin_key, failopen=failopen)
        self.users = users or GatewayUsers(base_url, api_key, stand_in=stand_in)
        self.run = run or f"trl-{secrets.token_hex(4)}"
        self.policy, self.model, self.panel = policy, model, panel
        self.failopen = failopen
        self.hold_seconds = hold_seconds
        self.after_hold = after_hold or ("go" if failopen else "stop")
        self.override_file = override_file
        self.tally = Tally()
        #: The epoch under way, and whether the gateway wants sessions of the held-out panel in it.
        self.epoch = 0
        self.checkpoint: Optional[str] = None
        self.panel_due = False
        self._epoch_steps = epoch_steps
        self._decide, self._weigh = decide, weigh
        self._zero_variance, self._recipe = zero_variance, recipe
        self._ahead: Optional[int] = None
        self._owed: Dict[str, Json] = {}

    @property
    def overridden(self) -> bool:
        return self.override_file is not None and os.path.exists(self.override_file)

    def begin_epoch(self, step: int, checkpoint: Optional[str] = None) -> Json:
        """The epoch of this training step: ``{epoch, panel_due}``. A repeated call is one.

        Epochs go up with the steps. Where the gateway stands further on (another trainer was there before, or this
        one resumes from a checkpoint), the run joins the epoch under way there.
        """
        return self._begin(step // self._epoch_steps, checkpoint)

    def _begin(self, own: int, checkpoint: Optional[str] = None) -> Json:
        """``own``: number of the epoch in this run."""
        if self._ahead is None:
            view = self.client.gate()["view"]
            if view is not None:
                self._ahead = max(0, view["epoch"] - own)
        reply = None
        for _ in range(3):
            epoch = own + (self._ahead or 0)
            try:
                reply = self.client.epochs(epoch, run=self.run, policy=self.policy, checkpoint=checkpoint)
                break
            except GatewayError as error:
                if error.code != "epoch_over":
                    raise
                view = self.client.gate()["view"]
                self._ahead = max(self._ahead or 0, (epoch + 1 if view is None else view["epoch"]) - own)
        view = None if reply is None else reply["view"]
        return {"epoch": own + (self._ahead or 0), "panel_due": bool(view and view["psod"]["due"])}

    def judge(self, rows: Sequence[Json], training: bool) -> Dict[str, str]:
        """Reports the rewards and asks which rollouts may be learnt from: ``{session: why not}``.

        rows: facts of the rollouts (dialogue.py) with ``reward``, None where there is none.
        """
        unusable: Dict[str, str] = {}
        for row in rows:
            self.tally.add("rollouts")
            self.tally.add("turns_held", row["held"])
            if row["stood_in"]:
                self.tally.add("rollouts_stood_in")
            if row["failed"] is not None:
                self.tally.add("rollouts_failed")
                unusable[row["session"]] = row["failed"]
        served = [row for row in rows if row["on_record"]]
        self._report(served)
        if not (training and self._decide):
            return unusable
        groups: Dict[str, List[str]] = {}
        for row in served:
            if row["session"] not in unusable:
                groups.setdefault(row["group"], []).append(row["session"])
        asked = [{"id": group, "sessions": sessions} for group, sessions in groups.items()]
        if not asked:
            return unusable
        for decision in self.client.decide(asked, zero_variance=self._zero_variance):
            for dropped in decision["dropped"]:
                self.tally.add("rollouts_dropped")
                unusable[dropped["session"]] = f"{dropped['check']}: {dropped['reason']}"
            if decision["decision"] == "defer":
                self.tally.add("groups_deferred")
            if decision["decision"] == "reject":
                self.tally.add("groups_rejected")
                why = "; ".join(decision["reasons"])
                # Also of rollouts in it that the gateway does not know: there is nobody left to compare them with.
                for row in rows:
                    if row["group"] == decision["group"]:
                        unusable.setdefault(row["session"], why)
        return unusable

    def weights(self, sessions: Sequence[str], unserved: Sequence[str] = ()) -> Dict[str, float]:
        """Weights of the advantages, mean 1 over all of them; ``unserved`` are not on record and have weight 1."""
        found = dict.fromkeys(unserved, 1.0)
        if self._weigh and sessions:
            reply = self.client.weights(sessions, recipe=self._recipe)
            self.tally.add("weights_unknown", len(reply["unknown"]))
            found.update({one: float(reply["weights"][one]) for one in sessions})
        else:
            found.update(dict.fromkeys(sessions, 1.0))
        mean = math.fsum(found.values()) / len(found) if found else 1.0
        # It is 1 but for rounding, or where a gateway of another version says otherwise: the learning rate stays.
        return {one: weight / mean for one, weight in found.items()} if mean > 0 else found

    def end(self, step: int) -> None:
        """Training is over, before ``step``: the last epoch ends too, so that the gateway looks at it."""
        try:
            self._report([])
            self._begin(-(-step // self._epoch_steps))
        except GatewayError as error:
            LOG.warning("the last epoch was not ended: %s", error)

    def numbers(self) -> Dict[str, float]:
        """For a tracker: ``collapse_aware/...`` of the gateway (``up`` 0 while it is down) and of this run's counts."""
        own = {f"collapse_aware/{name}": value for name, value in self.tally.numbers().items()}
        try:
            live = self.client.metrics()
        except GatewayError:
            # A tracker's numbers are no reason to end a run, of one process of many least of all: the gate is.
            live = {"collapse_aware/up": 0}
        return {**live, **own, "collapse_aware/rewards_owed": len(self._owed)}

    def close(self) -> None:
        self.client.close()
        self.users.close()

    def _report(self, served: Sequence[Mapping[str, Any]]) -> None:
        entries = {
            row["session"]: {
                "session": row["session"],
                "reward": None if row["failed"] is not None else row["reward"],
                "termination": row["termination"],
            }
            for row in served
        }
        # What could not be told while the gateway was down comes first: a later reward replaces it.
        entries = {**self._owed, **entries}
        self._owed = {}
        if not entries:
            return
        receipt = self.client.rewards(list(entries.values()))
        for refused in receipt["rejected"]:
            if refused["code"] == "unavailable" and refused["id"] in entries and len(self._owed) < MOST_OWED:
                self._owed[refused["id"]] = entries[refused["id"]]
            else:
                self.tally.add("rewards_refused")
                LOG.warning("the reward of session %s was refused: %s", refused["id"], refused["reason"])
