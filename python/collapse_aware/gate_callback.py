"""Training waits while the gate says hold."""

from __future__ import annotations

import logging
import time
from typing import Any, Callable, Dict, Optional

from transformers import TrainerCallback

from .ranks import is_rank_zero, on_rank_zero
from .steering import Steering
from .transport import GatewayError

LOG = logging.getLogger("collapse_aware")
#: Seconds that rank 0 waits for the gate before it tells the others that it still waits: far under their time-out.
SLICE = 20.0
#: The same where an operator's file is looked for, and where the gateway is down.
SHORT_SLICE = 1.0
#: Seconds between two questions at least.
PAUSE = 0.2


class TrainingHeld(RuntimeError):
    """The gate still says hold after ``hold_seconds``. Nothing less than an error keeps an optimizer from its step."""


class GateCallback(TrainerCallback):
    """Blocks before a step begins, and before the optimizer moves the policy, while the gate says hold.

    Rank 0 asks, and everybody does what it was told; the wait is cut into slices, so that no collective operation
    waits long for it, whatever ``hold_seconds`` is.
    probe: plays a batch that nobody trains on, while the level is red by the rules; what half-open asks for.
    """

    def __init__(self, steering: Steering, probe: Optional[Callable[[], None]] = None) -> None:
        self._steering = steering
        self._probe = probe
        #: Whether this step has a batch in which something, on any rank, can be learnt from.
        self._usable = False
        #: Waited in vain for this hold already.
        self._gave_up = False

    def learnt(self, usable: bool) -> None:
        """A part of this step's gradient is there."""
        self._usable = self._usable or usable

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._usable = False
        self.wait()

    def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.wait()
        if self._usable:
            return
        # Without gradients an optimizer leaves weights and moments alone; zeros would let momentum and decay go on.
        kwargs["model"].zero_grad(set_to_none=True)
        if is_rank_zero():
            self._steering.tally.add("steps_without_rollouts")

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if self._steering.panel_due:
            self._steering.panel_due = False
            control.should_evaluate = True

    def wait(self) -> None:
        """Returns when training may go on. Raises TrainingHeld or GatewayError as the steering has it."""
        started, revision, held, probing = time.monotonic(), None, False, False
        while True:
            left = self._steering.hold_seconds - (time.monotonic() - started)
            asked = on_rank_zero(lambda: self._ask(revision, left, held, probing))
            if asked["hold"] and not held and not self._gave_up:
                held = True
                if is_rank_zero():
                    self._steering.tally.add("holds")
                    LOG.warning("training waits at the gate: %s", "; ".join(asked["reasons"]))
            if not asked["hold"]:
                self._gave_up = False
            if not asked["hold"] or asked["over"] or self._gave_up:
                break
            probing = asked["probe"] and self._probe is not None
            if probing and self._probe is not None:
                self._probe()
            revision = asked["revision"]
        if held and is_rank_zero():
            self._steering.tally.held(time.monotonic() - started)
        if asked["hold"] and not self._gave_up:
            self._after_hold(asked)

    def _ask(self, revision: Optional[int], left: float, held: bool, probing: bool) -> Dict[str, Any]:
        """On rank 0: what everybody is to do now."""
        steering = self._steering
        if steering.overridden:
            if held:
                steering.tally.add("holds_overridden")
                LOG.warning("%s is there: training goes on", steering.override_file)
            return _told(False)
        slice_ = SHORT_SLICE if steering.override_file is not None else SLICE
        wait = 0.0 if revision is None or probing else max(0.0, min(slice_, left))
        try:
            reply = steering.client.gate(after=revision, wait=wait)
        except GatewayError as error:
            # Fail-closed; what the gateway refuses for good is a mistake, and waiting mends none.
            if not error.passing:
                raise
            if left > 0:
                time.sleep(min(SHORT_SLICE, left))
            return _told(True, over=left <= 0, down=str(error), reasons=[str(error)])
        if reply["training"] != "hold":
            return _told(False)
        view = reply["view"] or {}
        # Where much is going on every answer comes at once.
        time.sleep(min(PAUSE, max(0.0, left)))
        return _told(
            True,
            over=left <= 0,
            revision=view.get("revision"),
            reasons=reply["reasons"],
            probe=view.get("override") is None,
        )

    def _after_hold(self, asked: Dict[str, Any]) -> None:
        steering = self._steering
        if is_rank_zero():
            steering.tally.add("holds_timed_out")
        reasons = "; ".join(asked["reasons"])
        if asked["down"] is not None:
            raise GatewayError(f"training was to stop without its gateway, and does: {asked['down']}")
        if steering.after_hold == "stop":
            raise TrainingHeld(f"held for more than {steering.hold_seconds} s: {reasons}")
        self._gave_up = True
        LOG.warning("still held after %s s, training goes on all the same: %s", steering.hold_seconds, reasons)


def _told(hold: bool, **more: Any) -> Dict[str, Any]:
    return {"hold": hold, "over": False, "down": None, "reasons": [], "revision": None, "probe": False, **more}
