"""Runs of the trainer of python/examples/trl_dialogue.py for trl.test.ts: trl_run.py KIND GATEWAY. The admin key is in
CA_ADMIN_KEY. Prints events as JSON lines, and after one with "asks" waits for a line on stdin."""

import json
import logging
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "../../python"), str(HERE / "../../python/examples")]

import datasets
import torch
from trl_dialogue import SENTENCES, donation, options, trainer_of

from collapse_aware import CollapseAwareClient, GatewayError
from collapse_aware.trl import CollapseAwareGRPOTrainer, GateCallback, Steering, TrainingHeld


def tell(event, **facts):
    print(json.dumps({"event": event, **facts}), flush=True)


def ask(event, **facts):
    tell(event, asks=True, **facts)
    sys.stdin.readline()


class Logged(logging.Handler):
    def emit(self, record):
        tell("log", text=record.getMessage())


class Watched(CollapseAwareGRPOTrainer):
    """Tells what the optimizer and the loss really get."""

    def _weigh(self, output, rows):
        before = dict(zip(output["session"], output["advantages"].tolist()))
        super()._weigh(output, rows)
        usable = [one for one in output["session"] if one not in self._unusable]
        # Another client, the other way round: what the gateway says of these ids.
        said = CollapseAwareClient(ASKED.gateway, ASKED.admin_key).weights(usable[::-1])["weights"] if usable else {}
        tell("weighed", step=self.state.global_step, order=output["session"], before=before, weights=said)

    def _compute_loss(self, model, inputs):
        learnt = dict(zip(inputs["session"], inputs["advantages"].tolist()))
        tell("learnt", step=self.state.global_step, order=inputs["session"], advantages=learnt)
        return super()._compute_loss(model, inputs)


def varied(dialogue, **columns):
    """Beside what was given a little for a varied talk, so that few groups have equal rewards."""
    said = [len({one["content"] for one in messages if one["role"] == "assistant"}) for messages in dialogue]
    return [given + 0.05 * count for given, count in zip(donation(dialogue), said)]


def weights(trainer):
    """Waits for the behaviour space after the first step: before there is one all weights are 1."""
    begin = trainer._begin_epoch

    def begin_after_space():
        if trainer.state.global_step == 1:
            ask("space")
        begin()

    trainer._begin_epoch = begin_after_space


KINDS = {"weights": weights}
kind, url = sys.argv[1:3]
ASKED = options(["--gateway", url, "--run", kind, *sys.argv[3:]])

if __name__ == "__main__":
    datasets.disable_progress_bars()
    logging.getLogger("collapse_aware").addHandler(Logged())
    with tempfile.TemporaryDirectory() as folder:
        trainer = trainer_of(ASKED, folder, kind=Watched, reward=varied)
        KINDS[kind](trainer)
        trainer.train()
        tell("done", numbers=trainer.steering.numbers(), steps=trainer.state.global_step)
