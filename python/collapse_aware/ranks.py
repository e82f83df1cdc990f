"""Asking once where many processes train: rank 0 asks, everybody gets the answer. Alone, nothing is sent."""

from __future__ import annotations

import sys
from typing import Any, Callable, List, Sequence, TypeVar

from .transport import GatewayError

T = TypeVar("T")


def _group() -> Any:
    """torch.distributed where several processes train; torch is never imported for it."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.distributed.is_available() or not torch.distributed.is_initialized():
        return None
    return torch.distributed if torch.distributed.get_world_size() > 1 else None


def is_rank_zero() -> bool:
    group = _group()
    return group is None or group.get_rank() == 0


def on_rank_zero(ask: Callable[[], T]) -> T:
    """What ``ask`` answers on rank 0, on every rank; an error of it is raised on every rank.

    An error that only rank 0 raised would leave the others in a collective operation until its time-out.
    """
    group = _group()
    if group is None:
        return ask()
    said: List[Any] = [None]
    if group.get_rank() == 0:
        try:
            said = [("answer", ask())]
        except GatewayError as error:
            said = [("refused", str(error), error.status, error.code, error.retry_after)]
        except Exception as error:
            said = [("failed", f"{type(error).__name__}: {error}")]
    group.broadcast_object_list(said, src=0)
    kind, *rest = said[0]
    if kind == "answer":
        return rest[0]
    raise GatewayError(*rest) if kind == "refused" else RuntimeError(f"rank 0: {rest[0]}")


def of_all_ranks(rows: Sequence[T]) -> List[T]:
    """Rows of every rank, rank by rank: the order of ``accelerate.gather``."""
    group = _group()
    if group is None:
        return list(rows)
    parts: List[Any] = [None] * group.get_world_size()
    group.all_gather_object(parts, list(rows))
    return [row for part in parts for row in part]
