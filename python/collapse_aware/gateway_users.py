"""The simulated users behind a gateway, turn by turn."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from .transport import GatewayError, Transport

Message = Dict[str, Any]
#: Seconds between two attempts where the gateway does not say how long.
PAUSE = 1.0


@dataclass(frozen=True)
class UserTurn:
    text: str
    #: As the gateway calls it; None where it did not answer.
    session: Optional[str]
    simulator: Optional[str]
    #: Said by the stand-in: no gateway has it on record.
    stood_in: bool = False


class GatewayUsers:
    """Asks for the simulated user's next turn. Safe to share among threads.

    timeout: seconds of one request; more than the gateway's ``breaker.holdSeconds`` and a slow reply together.
    patience: seconds during which a gateway that refuses training, or does not answer, is asked again; of the latter
    counted from when it was first found down, so that a batch waits once and not a turn at a time.
    stand_in: says the turn from the messages (the user is ``assistant`` in them) while the gateway cannot be reached.
    """

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        timeout: float = 180.0,
        held_seconds: float = 300.0,
        down_seconds: float = 30.0,
        stand_in: Optional[Callable[[List[Message]], str]] = None,
    ) -> None:
        # Attempts are made here: they end by the clock, not by a count.
        self._transport = Transport(base_url, api_key, timeout, timeout, 0)
        self._held_seconds, self._down_seconds = held_seconds, down_seconds
        self._stand_in = stand_in
        self._lock = threading.Lock()
        self._down_since: Optional[float] = None

    def reply(
        self,
        messages: Sequence[Message],
        model: str,
        headers: Mapping[str, str],
        on_held: Callable[[], None] = lambda: None,
    ) -> UserTurn:
        """on_held: called whenever the turn is refused because training is held.

        Raises GatewayError where there is no reply and no stand-in.
        """
        asked = list(messages)
        body = {"model": model, "messages": asked}
        started = time.monotonic()
        while True:
            try:
                said, answered = self._transport.reply("POST", "/v1/chat/completions", body, headers)
                break
            except GatewayError as error:
                refused = error.code == "training_held"
                if refused:
                    on_held()
                wait = self._next_wait(error, started, refused)
                if wait is not None:
                    time.sleep(wait)
                elif self._stand_in is not None and error.status is None:
                    return UserTurn(self._stand_in(asked), None, None, stood_in=True)
                else:
                    raise
        self._mark(down=False)
        message = said["choices"][0]["message"]
        text = message.get("content")
        if not isinstance(text, str):
            why = "the simulated user said nothing but called a tool: this trainer has none for it"
            raise GatewayError(why, 200, "tool_call")
        return UserTurn(text, answered.get("x-session-id"), answered.get("x-ca-simulator"))

    def close(self) -> None:
        self._transport.close()

    def _next_wait(self, error: GatewayError, started: float, refused: bool) -> Optional[float]:
        """Seconds until the next attempt; None = none."""
        if not error.passing:
            return None
        if refused:
            until = started + self._held_seconds
        else:
            until = self._mark(down=True) + self._down_seconds
        wait = PAUSE if error.retry_after is None else error.retry_after
        return wait if time.monotonic() + wait < until else None

    def _mark(self, down: bool) -> float:
        """Since when the gateway is down; now, where it is not."""
        now = time.monotonic()
        with self._lock:
            if not down:
                self._down_since = None
                return now
            if self._down_since is None:
                self._down_since = now
            return self._down_since
