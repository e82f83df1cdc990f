"""verl's synchronous trainer behind a gateway: epochs, the gate before a step, weights by session in the advantages.

Written for verl 0.9.1, from its sources. Importing this module puts the trainer in the place of verl's own: a new name
in the registry would be taken for an asynchronous one.
"""

import os

import torch
import transfer_queue as tq
from collapse_aware import CollapseAwareClient
from tensordict import TensorDict
from verl.trainer.ppo.v1.trainer_base import TRAINER_REGISTRY

#: Training steps of an epoch: one step has too few groups to look at every member.
STEPS_OF_EPOCH = 4
#: Seconds at the gate; then training goes on, and says so.
HOLD = float(os.environ.get("STAGE_ZERO_HOLD_SECONDS", "3600"))
#: Whether decisions and weights of the gateway are asked for: the arm collapse-aware alone.
WEIGH = os.environ.get("STAGE_ZERO_WEIGH") == "1"


class WeightedTrainer(TRAINER_REGISTRY["sync"]):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._gateway = CollapseAwareClient(os.environ["STAGE_ZERO_GATEWAY"], os.environ["CA_ADMIN_KEY"], failopen=False)
        self._gateway.epochs(0, run="training", policy="policy", checkpoint="step-0")

    def _compute_advantage(self, batch, metrics):
        batch = super()._compute_advantage(batch, metrics)
        if WEIGH:
            batch = self._weigh(batch, metrics)
        step = self.global_steps
        if step % STEPS_OF_EPOCH == 0:
            # The next epoch: its rollouts are of the weights that this step leaves.
            self._gateway.epochs(step // STEPS_OF_EPOCH, run="training", policy="policy", checkpoint=f"step-{step}")
        # This runs in one process, before the policy is updated.
        held = self._gateway.wait_for_green(max_seconds=HOLD)
        metrics["collapse_aware/timed_out"] = float(held["timed_out"])
        return batch

    def _weigh(self, batch, metrics):
        """Advantages are normalised here; keys are `uid_session_index`, and weights go by `uid_session`."""
        sessions = [key.rsplit("_", 1)[0] for key in batch.keys]
        groups = {}
        for session in dict.fromkeys(sessions):
            groups.setdefault(session.rsplit("_", 1)[0], []).append(session)
        decisions = self._gateway.decide([{"id": group, "sessions": members} for group, members in groups.items()])
        usable = {one for decision in decisions if decision["decision"] != "reject" for one in decision["usable"]}
        weights = self._gateway.weights(sorted(usable))["weights"] if usable else {}
        factors = [weights.get(session, 1.0) if session in usable else 0.0 for session in sessions]
        data = tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=["advantages"])
        rows = [row * factor for row, factor in zip(data["advantages"].unbind(), factors)]
        scaled = torch.nested.as_nested_tensor(rows, layout=torch.jagged)
        fields = TensorDict({"advantages": scaled}, batch_size=len(batch))
        metrics["collapse_aware/weight_mean"] = sum(factors) / len(factors)
        metrics["collapse_aware/dropped"] = float(sum(factor == 0.0 for factor in factors))
        return tq.kv_batch_put(keys=batch.keys, partition_id=batch.partition_id, fields=fields)


TRAINER_REGISTRY["sync"] = WeightedTrainer
