"""GRPO with TRL behind a gateway: GRPOTrainer whose rollouts are dialogues with a population of simulated users.

Read from TRL 1.13.0, and tested with it. Importing this module imports TRL; the package does without.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

import torch
from trl import GRPOTrainer

from .dialogue_rollouts import DialogueRollouts
from .gate_callback import GateCallback, TrainingHeld
from .ranks import of_all_ranks, on_rank_zero
from .steering import Steering

#: Drawn as the population is, and never held.
PROBE_MODEL = "probe/population"

__all__ = [
    "CollapseAware",
    "CollapseAwareGRPOTrainer",
    "DialogueRollouts",
    "GateCallback",
    "Steering",
    "TrainingHeld",
]


class CollapseAware:
    """Mixin for GRPOTrainer or a subclass of it, to stand before it: ``class Mine(CollapseAware, MyGRPOTrainer)``.

    steering: the gateway. rollout_func: DialogueRollouts, or one that gives ``session`` and ``rollout`` as it does.
    probe_while_held: at red and half-open, play batches against ``probe/population`` that nobody trains on: what the
    breaker needs to see that the population is another one. The simulators' turns cost what they cost.

    For each batch of training: an epoch begins; the dialogues are played; rewards are reported; the gateway decides
    which rollouts count, and the others are left out of their group's baseline; advantages, normalised, are multiplied
    by the weights. For each batch of evaluation: dialogues with the held-out panel are played and rewards reported.
    """

    def __init__(
        self,
        *args: Any,
        steering: Steering,
        rollout_func: Any = None,
        callbacks: Optional[Sequence[Any]] = None,
        probe_while_held: bool = False,
        **kwargs: Any,
    ) -> None:
        self.steering = steering
        self._rows: List[Dict[str, Any]] = []
        self._batches = 0
        self._unusable: Dict[str, str] = {}
        self._usable = True
        self._probing, self._probed = False, 0
        rollouts = rollout_func or DialogueRollouts(steering)
        probes = probe_while_held and isinstance(rollouts, DialogueRollouts)
        self.gate = GateCallback(steering, self._probe if probes else None)
        super().__init__(*args, rollout_func=rollouts, callbacks=[*(callbacks or []), self.gate], **kwargs)
        # A name that was made up is another one on every rank.
        steering.run = on_rank_zero(lambda: steering.run)
        if self.use_vllm and self.vllm_mode == "server":
            # It gives one prompt of a group to all of the group: dialogues differ from the second turn on.
            raise ValueError('vllm_mode "server" cannot continue dialogues: use "colocate", or no vLLM')

    def train(self, *args: Any, **kwargs: Any) -> Any:
        result = super().train(*args, **kwargs)
        on_rank_zero(lambda: self.steering.end(self.state.global_step))
        return result

    def training_step(self, *args: Any, **kwargs: Any) -> Any:
        loss = super().training_step(*args, **kwargs)
        # A batch may serve several steps, and a step several batches.
        self.gate.learnt(self._usable)
        return loss

    def rows_of(self, prompts: Sequence[Any]) -> List[Dict[str, Any]]:
        """Rows of the data set that the prompts of this batch come from. TRL hands on the prompts alone, in their order."""
        if len(prompts) != len(self._rows) or any(a != b["prompt"] for a, b in zip(prompts, self._rows)):
            raise ValueError("the prompts of rollout_func are not those of the batch")
        return self._rows

    def batch_name(self) -> str:
        """A name that no other batch of this run has: sessions and groups begin with it."""
        self._batches += 1
        return f"{self.steering.run}.{self.state.global_step}.{self._batches}"

    def _generate_and_score_completions(self, inputs: List[Dict[str, Any]]) -> Dict[str, Any]:
        training = self.model.training
        # Rows of their own: repeated ones may be one object, and each gets the id of its rollout.
        self._rows = rows = [dict(row) for row in inputs]
        begun = self.steering.checkpoint is not None
        # An evaluation after a step is of the policy that the step has made.
        self.steering.checkpoint = f"step-{self.state.global_step}"
        if training or not begun:
            self._begin_epoch()
        output = super()._generate_and_score_completions(rows)
        # The ids go with the rows from here on, through TRL's shuffle and its cutting into steps.
        output["session"] = [row["session"] for row in rows]
        if training:
            self._weigh(output, rows)
        return output

    def _begin_epoch(self) -> None:
        step, steering = self.state.global_step, self.steering
        begun = on_rank_zero(lambda: steering.begin_epoch(step, steering.checkpoint))
        steering.epoch = begun["epoch"]
        steering.panel_due = begun["panel_due"] and self.eval_dataset is not None

    def _calculate_rewards(self, inputs: Any, prompts: Any, completions: Any, completion_ids_list: Any) -> torch.Tensor:
        """Rewards of all ranks, NaN where a rollout does not count: TRL keeps these out of the group's mean and deviation."""
        per_function = super()._calculate_rewards(inputs, prompts, completions, completion_ids_list)
        rows = of_all_ranks([row["rollout"] for row in inputs])
        totals = (per_function * self.reward_weights.to(per_function.device)).nansum(dim=1)
        totals[torch.isnan(per_function).all(dim=1)] = torch.nan
        # TRL gathers rank by rank; behind this line a reward belongs to a session.
        scored = [{**row, "reward": _as_said(total)} for row, total in zip(rows, totals.tolist())]
        if not self._probing:
            # Columns of TRL's own table of completions, by which a dump is joined to the gateway's record.
            for column in ("session", "simulator"):
                self._log_completion_extra(column, [row["rollout"][column] for row in inputs])
        training = self.model.training and not self._probing
        self._unusable = on_rank_zero(lambda: self.steering.judge(scored, training))
        lost = torch.tensor([row["session"] in self._unusable for row in rows], device=per_function.device)
        per_function[lost] = torch.nan
        return per_function

    def _weigh(self, output: Dict[str, Any], rows: Sequence[Dict[str, Any]]) -> None:
        own = [(row["session"], row["rollout"]["on_record"]) for row in rows]
        usable = [one for one in of_all_ranks(own) if one[0] not in self._unusable]
        served = [session for session, on_record in usable if on_record]
        unserved = [session for session, on_record in usable if not on_record]
        weights = on_rank_zero(lambda: self.steering.weights(served, unserved))
        factors = [weights.get(session, 0.0) for session in output["session"]]
        advantages = output["advantages"]
        output["advantages"] = advantages * torch.tensor(factors, dtype=advantages.dtype, device=advantages.device)
        # A batch in which nothing can be learnt from has no tokens: the loss would be 0 divided by 0.
        output["num_items_in_batch"] = output["num_items_in_batch"].clamp(min=1)
        self._usable = len(usable) > 0

    def _probe(self) -> None:
        """A batch against the population that nobody trains on; its prompts are the next ones of the data set."""
        size, count = self.num_generations, len(self._rows) or self.args.generation_batch_size // self._world()
        first = self.accelerator.process_index * count
        data = self.train_dataset
        groups = [(first + at) // size for at in range(count)]
        rows = [dict(data[(self._probed + group) % len(data)]) for group in groups]
        self._probed += count * self._world() // size
        rollouts = self.rollout_func
        dialogues = rollouts.begin(self, rows, self.batch_name(), PROBE_MODEL, size)
        rollouts.play(self, dialogues)
        columns = rollouts.columns(self, dialogues)
        for at, row in enumerate(rows):
            row.update({name: columns[name][at] for name in ("session", "dialogue", "rollout")})
        texts = self.processing_class.batch_decode(columns["completion_ids"], skip_special_tokens=True)
        completions = [[{"role": "assistant", "content": text}] for text in texts]
        self._probing = True
        try:
            self._calculate_rewards(rows, [row["prompt"] for row in rows], completions, columns["completion_ids"])
        finally:
            self._probing = False
        self.steering.tally.add("probes", count * self._world())

    def _world(self) -> int:
        return self.accelerator.num_processes

    def log(self, logs: Dict[str, float], start_time: Optional[float] = None) -> None:
        if self.model.training and self.accelerator.is_main_process:
            logs.update(self.steering.numbers())
        super().log(logs, start_time)


def _as_said(reward: float) -> Optional[float]:
    """None for NaN; else with the digits that a float of 32 bits holds: 0.02 and not 0.0199999996."""
    return None if reward != reward else float(f"{reward:.7g}")


class CollapseAwareGRPOTrainer(CollapseAware, GRPOTrainer):
    """``GRPOTrainer(..., steering=Steering(...))``; everything else as TRL has it."""
