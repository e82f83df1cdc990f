"""Runs of the trainer of python/examples/trl_dialogue.py for trl.test.ts: trl_run.py KIND GATEWAY. The admin key is in
CA_ADMIN_KEY. Prints events as JSON lines, and after one with "asks" waits for a line on stdin."""

import json
import logging
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "../../python"), str(HERE / "../../python/examples")]

import datasets
import pandas
from transformers import TrainerCallback
from trl_dialogue import STOP, donation, options, trainer_of

from collapse_aware import CollapseAwareClient, GatewayError
from collapse_aware.dialogue import Dialogue
from collapse_aware.gateway_users import GatewayUsers
from collapse_aware.ranks import of_all_ranks
from collapse_aware.trl import CollapseAwareGRPOTrainer, TrainingHeld


def tell(event, **facts):
    # One write a line: two ranks share the pipe.
    sys.stdout.write(json.dumps({"event": event, "rank": RANK, **facts}) + "\n")
    sys.stdout.flush()


def ask(event, **facts):
    """On rank 0; the others wait for it where they next do something together."""
    if RANK == 0:
        tell(event, asks=True, **facts)
        sys.stdin.readline()


class Logged(logging.Handler):
    def emit(self, record):
        tell("log", text=record.getMessage())


class Moves(TrainerCallback):
    """Tells when the optimizer has made a step, and what of the policy there is then."""

    def on_optimizer_step(self, args, state, control, model=None, **_):
        tell("moved", step=state.global_step, policy=digest(model))


def digest(model):
    parts = [parameter.detach().double().sum().item() for parameter in model.parameters()]
    return f"{sum(at * part for at, part in enumerate(parts, 1)):.17g}"


class Watched(CollapseAwareGRPOTrainer):
    """Tells what the optimizer and the loss really get."""

    def _weigh(self, output, rows):
        before = dict(zip(output["session"], output["advantages"].tolist()))
        super()._weigh(output, rows)
        usable = [one for one in of_all_ranks(output["session"]) if one not in self._unusable]
        # Another client, the other way round: what the gateway says of these ids.
        said = CollapseAwareClient(ASKED.gateway, ASKED.admin_key, retries=0).weights(usable[::-1], recipe=RECIPE)
        tell("weighed", step=self.state.global_step, order=output["session"], before=before, weights=said["weights"])

    def _compute_loss(self, model, inputs):
        learnt = dict(zip(inputs["session"], inputs["advantages"].tolist()))
        tell("learnt", step=self.state.global_step, order=inputs["session"], advantages=learnt)
        return super()._compute_loss(model, inputs)

    def _begin_epoch(self):
        # Before there is a behaviour space all weights are 1.
        if KIND in ("weights", "ranks") and self.state.global_step == 1:
            ask("space")
        super()._begin_epoch()
        if KIND == "red" and self.state.global_step == 2:
            ask("begun")


def varied(dialogue, trainer_state, **columns):
    """Beside what was given a little for a varied talk, so that few groups have equal rewards."""
    if trainer_state.global_step == {"weights": None, "panel": None, "ranks": 2}.get(KIND, 1):
        ask("scoring")
    said = [len({one["content"] for one in messages if one["role"] == "assistant"}) for messages in dialogue]
    return [given + 0.05 * count for given, count in zip(donation(dialogue), said)]


def stand_in(messages):
    return f"I give a dollar. {STOP}" if len(messages) > 5 else "Tell me more."


#: Concentration comes from the live window, which may have it a moment after an epoch began.
RECIPE = {"weights": {"concentration": False}}
RANK = int(os.environ.get("RANK", "0"))
KIND, URL = sys.argv[1:3]
ASKED = options(["--gateway", URL, *sys.argv[3:]])

if __name__ == "__main__":
    datasets.disable_progress_bars()
    logging.getLogger("collapse_aware").addHandler(Logged())
    held = Dialogue.hold
    Dialogue.hold = lambda self: (held(self), tell("held", session=self.session))
    users = GatewayUsers(URL, ASKED.api_key, down_seconds=0.1, stand_in=stand_in if KIND == "stand-in" else None)
    with tempfile.TemporaryDirectory() as folder:
        trainer = trainer_of(ASKED, folder, kind=Watched, reward=varied, users=users, recipe=RECIPE)
        trainer.add_callback(Moves())
        trainer.log_completions = KIND == "weights"
        Path(folder, "completions").mkdir()
        try:
            trainer.train()
        except (GatewayError, TrainingHeld) as error:
            tell("stopped", error=type(error).__name__, text=str(error), numbers=trainer.steering.tally.numbers())
            sys.exit(3)
        if KIND == "weights":
            table = pandas.concat(map(pandas.read_parquet, Path(folder, "completions").glob("*.parquet")))
            tell("dumped", rows=table[["session", "simulator"]].to_dict("records"))
        if KIND == "panel":
            trainer._probe()
        tell("done", numbers=trainer.steering.numbers(), steps=trainer.state.global_step)
