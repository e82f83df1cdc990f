"""What a request to the gateway may say of its session beside the dialogue."""

from __future__ import annotations

from typing import Dict, Optional, Union


def session_headers(
    session: Optional[str] = None,
    *,
    group: Optional[str] = None,
    epoch: Optional[int] = None,
    run: Optional[str] = None,
    task: Optional[str] = None,
    policy: Optional[str] = None,
    checkpoint: Optional[Union[str, int]] = None,
) -> Dict[str, str]:
    """Headers for a request of an OpenAI client (``extra_headers=``).

    session: which dialogue the request belongs to, e.g. verl's uid and session id in one.
    group: the GRPO group; sessions of one group meet the same simulator.
    task: what the trainer calls the task. policy, checkpoint: who is being trained.
    Raises ValueError for what a header cannot carry (it must be printable ASCII, 1 to 200 characters).
    """
    named = {
        "X-Session-ID": session,
        "X-CA-Group": group,
        "X-CA-Epoch": epoch,
        "X-CA-Run": run,
        "X-CA-Task": task,
        "X-CA-Policy": policy,
        "X-CA-Checkpoint": checkpoint,
    }
    headers = {name: str(value) for name, value in named.items() if value is not None}
    for name, value in headers.items():
        if not (1 <= len(value) <= 200 and value.isascii() and value.isprintable()):
            raise ValueError(f"{name} must be 1 to 200 printable ASCII characters, not {value[:40]!r}")
    return headers
