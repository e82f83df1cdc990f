"""GRPO on Persuasion for Good with TRL, behind the gateway of an arm: python train.py --gateway URL --output FOLDER

Settings as published: 250 steps of 16 prompts x 8 rollouts, clip 0.2 / 0.28, KL 0.005. Whom the policy meets, what is
recorded and when training waits is the gateway's; nothing here knows the arm but `--weigh`.
"""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

import datasets
import trl
from transformers import TrainerCallback

import donation
import profiles
from collapse_aware.gateway_users import GatewayUsers
from collapse_aware.trl import CollapseAwareGRPOTrainer, DialogueRollouts, Steering

#: One step has too few groups to look at every member.
STEPS_OF_EPOCH = 4


class KeepWhatWasExamined(TrainerCallback):
    """The weights that the selection panel met are the ones that are saved, and are called so on record."""

    def __init__(self, steering):
        self._steering = steering

    def on_step_end(self, args, state, control, **_):
        self._steering.checkpoint = f"step-{state.global_step}"

    def on_evaluate(self, args, state, control, **_):
        control.should_save = True


def rewards(dialogue, **_):
    """TRL hands over the column `dialogue`: the messages of each rollout."""
    return [donation.reward([one["content"] for one in messages if one["role"] == "user"]) for messages in dialogue]


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gateway", required=True)
    parser.add_argument("--output", required=True, help="folder for checkpoints")
    parser.add_argument("--model", default="Qwen/Qwen3-4B-Instruct-2507")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("STAGE_ZERO_SEED", "1")))
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--prompts", type=int, default=16, help="of a step, over all ranks")
    parser.add_argument("--group", type=int, default=8)
    parser.add_argument("--per-device", type=int, default=4, help="rollouts of one backward pass on each rank")
    parser.add_argument("--turns", type=int, default=10, help="of the simulated user at most")
    parser.add_argument("--panel", type=int, default=64, help="profiles that the selection panel is met with")
    parser.add_argument("--learning-rate", type=float, default=1e-6)
    parser.add_argument("--tokens", type=int, default=4096, help="of a whole dialogue at most")
    parser.add_argument("--turn-tokens", type=int, default=256, help="of one turn of the policy at most")
    parser.add_argument("--cpu", action="store_true", help="to try it: no vLLM, no GPU")
    parser.add_argument("--exam", type=int, default=420, help="profiles that training must not touch")
    parser.add_argument("--weigh", action="store_true", help="decisions and weights of the gateway enter the advantages")
    parser.add_argument("--save-epochs", action="store_true", help="keep the weights of every epoch: the loop asks for them")
    parser.add_argument("--hold-seconds", type=float, default=3600.0, help="how long training waits while it is held")
    parser.add_argument("--profiles", default=os.environ.get("P4G_PROFILES"))
    return parser.parse_args()


def main():
    asked = options()
    people = profiles.read(asked.profiles)
    training, _exam = profiles.split(people, asked.exam)
    rows = datasets.Dataset.from_list(
        [
            {"prompt": donation.OPENING, "scenario": profiles.scenario(people[person]), "task": person}
            for person in sorted(training)
        ]
    )
    steering = Steering(
        asked.gateway,
        os.environ["CA_ADMIN_KEY"],
        api_key=os.environ["CA_CLIENT_KEY"],
        run="training",
        policy="policy",
        failopen=False,
        epoch_steps=STEPS_OF_EPOCH,
        hold_seconds=asked.hold_seconds,
        users=GatewayUsers(asked.gateway, os.environ["CA_CLIENT_KEY"], held_seconds=asked.hold_seconds),
        decide=asked.weigh,
        weigh=asked.weigh,
    )
    ranks = int(os.environ.get("WORLD_SIZE", "1"))
    passes, left = divmod(asked.prompts * asked.group, asked.per_device * ranks)
    if left:
        raise SystemExit(f"{asked.prompts} x {asked.group} rollouts are not shared out by {asked.per_device} on {ranks} ranks")
    settings = trl.GRPOConfig(
        output_dir=asked.output,
        max_steps=asked.steps,
        num_generations=asked.group,
        per_device_train_batch_size=asked.per_device,
        gradient_accumulation_steps=passes,
        per_device_eval_batch_size=asked.panel,
        num_generations_eval=1,
        epsilon=0.2,
        epsilon_high=0.28,
        beta=0.005,
        learning_rate=asked.learning_rate,
        max_completion_length=asked.tokens,
        use_vllm=not asked.cpu,
        vllm_mode="colocate",
        use_cpu=asked.cpu,
        bf16=not asked.cpu,
        gradient_checkpointing=not asked.cpu,
        logging_steps=1,
        save_strategy="steps" if asked.save_epochs else "no",
        save_steps=STEPS_OF_EPOCH,
        save_only_model=True,
        seed=asked.seed,
        report_to=[],
    )
    trainer = CollapseAwareGRPOTrainer(
        model=asked.model,
        reward_funcs=rewards,
        args=settings,
        train_dataset=rows,
        # Whoever is met in evaluation is of the selection panel; it is played when the gateway says that it is due.
        eval_dataset=rows.select(range(min(asked.panel, len(rows)))),
        steering=steering,
        rollout_func=DialogueRollouts(steering, turns=asked.turns, turn_tokens=asked.turn_tokens),
        callbacks=[KeepWhatWasExamined(steering)],
    )
    trainer.train()


if __name__ == "__main__":
    main()
