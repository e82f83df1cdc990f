"""One rollout: a dialogue of the policy with a simulated user, as words and as tokens."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

Message = Dict[str, Any]
#: For the policy the user is ``user``; for the gateway, whose model plays the user, it is the other way round.
TURNED = {"assistant": "user", "user": "assistant"}


@dataclass
class Dialogue:
    #: Of this rollout alone; the gateway's own name of it once it has answered.
    session: str
    #: The GRPO group: its sessions meet one simulator.
    group: str
    #: What the trainer calls the task: equal for equal prompts.
    task: str
    #: What the simulated user is told of itself.
    scenario: Optional[str]
    #: As the policy sees it, its own instructions first.
    messages: List[Message]
    prompt_ids: List[int]
    model: str
    epoch: int
    completion_ids: List[int] = field(default_factory=list)
    #: 1 for tokens of the policy, 0 for all others.
    mask: List[int] = field(default_factory=list)
    #: None where the generation gives none.
    logprobs: Optional[List[float]] = None
    #: Why it is over; None while it is not.
    termination: Optional[str] = None
    #: Why it came to nothing: it has no reward then, which is not a reward of 0.
    failed: Optional[str] = None
    #: It failed because nobody answered at the gateway's address.
    unreached: bool = False
    simulator: Optional[str] = None
    #: Turns that the gateway gave.
    served: int = 0
    #: A stand-in spoke for the user: the gateway knows the dialogue in part or not at all.
    stood_in: bool = False
    #: How often a turn of it was refused because training is held.
    held: int = 0

    @property
    def open(self) -> bool:
        return self.termination is None

    @property
    def policy_speaks(self) -> bool:
        return self.messages[-1]["role"] != "assistant"

    def end(self, termination: str) -> None:
        self.termination = termination

    def hold(self) -> None:
        self.held += 1

    def fail(self, why: str, unreached: bool) -> None:
        self.failed, self.unreached, self.termination = why, unreached, "infrastructure error"

    def for_user(self) -> List[Message]:
        """The messages as the gateway wants them: without the policy's instructions, with the user's."""
        turned = [
            {"role": TURNED[one["role"]], "content": one["content"]} for one in self.messages if one["role"] in TURNED
        ]
        return turned if self.scenario is None else [{"role": "system", "content": self.scenario}, *turned]

    def said(self, ids: List[int], text: str, logprobs: Optional[List[float]]) -> None:
        """The policy's turn."""
        self.add(ids, 1, logprobs)
        self.messages.append({"role": "assistant", "content": text})

    def add(self, ids: List[int], mask: int, logprobs: Optional[List[float]] = None) -> None:
        if logprobs is not None or self.logprobs is not None:
            self.logprobs = (self.logprobs or [0.0] * len(self.completion_ids)) + (logprobs or [0.0] * len(ids))
        self.completion_ids.extend(ids)
        self.mask.extend([mask] * len(ids))

    def facts(self) -> Dict[str, Any]:
        """What becomes of it is decided by these."""
        return {
            "session": self.session,
            "group": self.group,
            "simulator": self.simulator,
            "termination": self.termination,
            "failed": self.failed,
            "on_record": self.served > 0 and not self.stood_in,
            "stood_in": self.stood_in,
            "held": self.held,
        }


def task_of(prompt: Any, scenario: Any = None, named: Any = None) -> str:
    """A name for prompt and scenario that a header can carry: the given one, else a hash of both."""
    name = "" if named is None else str(named)
    if 1 <= len(name) <= 200 and name.isascii() and name.isprintable():
        return name
    text = json.dumps([prompt, scenario, named], sort_keys=True, ensure_ascii=False, default=str)
    return f"prompt-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
