"""Gate and dialogues of the TRL adapter, without a gateway. Run by trl.test.ts; needs torch and trl."""

import logging
import os
import sys
import tempfile
import unittest
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../python")]
from tiny import tokenizer  # noqa: E402

from collapse_aware import GatewayError  # noqa: E402
from collapse_aware.gateway_users import UserTurn  # noqa: E402
from collapse_aware.trl import DialogueRollouts, GateCallback, Steering, TrainingHeld  # noqa: E402


def setUpModule():
    logging.disable(logging.CRITICAL)


def reply(training, revision=1, override=None):
    view = {"revision": revision, "override": override}
    return {"training": training, "level": "red", "reasons": ["it is red"], "view": view}


class Gates:
    """Answers of the gate, in their order; the last one for ever."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def gate(self, after=None, wait=0.0):
        self.asked.append((after, wait))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self):
        pass


def callback(*answers, probe=None, **options):
    steering = Steering("http://127.0.0.1:1", client=Gates(*answers), **options)
    return GateCallback(steering, probe), steering


class GateTest(unittest.TestCase):
    def test_waits_until_the_gate_says_go(self):
        gate, steering = callback(reply("hold", 4), reply("hold", 5), reply("go"))
        gate.wait()
        self.assertEqual([after for after, _ in steering.client.asked], [None, 4, 5])
        self.assertEqual((steering.tally["holds"], steering.tally["holds_timed_out"]), (1, 0))
        gate.wait()
        self.assertEqual(steering.tally["holds"], 1)

    def test_after_its_time_it_goes_on_and_does_not_wait_again_for_the_same_hold(self):
        gate, steering = callback(reply("hold"), hold_seconds=0.01)
        gate.wait()
        asked = len(steering.client.asked)
        gate.wait()
        self.assertEqual(len(steering.client.asked), asked + 1)
        self.assertEqual((steering.tally["holds"], steering.tally["holds_timed_out"]), (1, 1))
        steering.client.answers = [reply("go"), reply("hold")]
        gate.wait()
        gate.wait()
        self.assertEqual((steering.tally["holds"], steering.tally["holds_timed_out"]), (2, 2))

    def test_after_its_time_it_stops_where_that_is_wanted(self):
        for options in ({"after_hold": "stop"}, {"failopen": False}):
            gate, _ = callback(reply("hold"), hold_seconds=0.01, **options)
            self.assertRaises(TrainingHeld, gate.wait)

    def test_an_operators_file_ends_a_hold(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "go-on")
            gate, steering = callback(reply("hold"), override_file=path)
            answer = steering.client.gate

            def and_then(**asked):
                with open(path, "w"):
                    return answer(**asked)

            steering.client.gate = and_then
            gate.wait()
            self.assertEqual((steering.tally["holds"], steering.tally["holds_overridden"]), (1, 1))

    def test_a_gateway_that_is_down_is_waited_for_where_training_may_not_go_on_without(self):
        down = GatewayError("nobody is there")
        gate, steering = callback(down, reply("go"), failopen=False)
        gate.wait()
        self.assertEqual(steering.tally["holds_timed_out"], 0)
        gate, _ = callback(down, failopen=False, hold_seconds=0.01)
        self.assertRaises(GatewayError, gate.wait)

    def test_what_the_gateway_refuses_is_no_reason_to_wait(self):
        gate, steering = callback(GatewayError("wrong key", 401), failopen=False)
        self.assertRaises(GatewayError, gate.wait)
        self.assertEqual(len(steering.client.asked), 1)

    def test_probes_are_played_while_the_rules_hold_training_and_not_for_an_operator(self):
        played = []
        gate, _ = callback(reply("hold"), reply("hold"), reply("go"), probe=lambda: played.append(1))
        gate.wait()
        self.assertEqual(len(played), 2)
        held = reply("hold", override={"level": "red"})
        gate, _ = callback(held, held, reply("go"), probe=lambda: played.append(1))
        gate.wait()
        self.assertEqual(len(played), 2)

    def test_a_step_without_a_usable_rollout_has_no_gradient(self):
        model = SimpleNamespace(cleared=[])
        model.zero_grad = lambda set_to_none: model.cleared.append(set_to_none)
        gate, steering = callback(reply("go"))
        for parts, cleared in (([True], 0), ([False], 1), ([False, True], 1), ([False, False], 2)):
            gate.on_step_begin(None, None, None)
            for usable in parts:
                gate.learnt(usable)
            gate.on_pre_optimizer_step(None, None, None, model=model)
            self.assertEqual(len(model.cleared), cleared)
        self.assertEqual(steering.tally["steps_without_rollouts"], 2)


class Users:
    """Say what they are told to, by what they hear."""

    def __init__(self, say):
        self.say, self.heard = say, []

    def reply(self, messages, model, headers, on_held):
        self.heard.append((messages, model, headers))
        said = self.say(messages)
        if isinstance(said, Exception):
            raise said
        return UserTurn(said, headers["X-Session-ID"], "birch")

    def close(self):
        pass


class Trainer:
    """What of a GRPOTrainer the dialogues need; the policy says its lines one after another."""

    use_vllm = False
    chat_template = None
    chat_template_kwargs = {}
    num_generations = num_generations_eval = 2

    def __init__(self, lines, room=400):
        self.processing_class = tokenizer()
        self.chat_template = self.processing_class.chat_template
        self.accelerator = SimpleNamespace(process_index=0)
        self.model = SimpleNamespace(training=True)
        self.generation_config = SimpleNamespace(max_new_tokens=99)
        self.max_completion_length = room
        self.lines, self.contexts = lines, []

    def rows_of(self, prompts):
        return [{"prompt": prompt, "scenario": f"You are {at}."} for at, prompt in enumerate(prompts)]

    def batch_name(self):
        return "run.0.1"

    def _generate_single_turn(self, ids, images, fields):
        self.contexts.append((ids, self.generation_config.max_new_tokens))
        end = [self.processing_class.eos_token_id]
        line = self.lines[min(len(self.contexts), len(self.lines)) - 1]
        said = (self.processing_class(line)["input_ids"] + end)[: self.generation_config.max_new_tokens]
        return [list(said) for _ in ids], None


PROMPT = [{"role": "system", "content": "Sell."}, {"role": "user", "content": "Hi."}]
OPENED = [*PROMPT[:1], {"role": "assistant", "content": "Hello."}]


def played(say, lines=("One?", "Two?", "Three?"), prompts=(PROMPT, OPENED), room=400, **options):
    users = Users(say)
    steering = Steering("http://127.0.0.1:1", users=users, run="run")
    trainer = Trainer(lines, room)
    rollouts = DialogueRollouts(steering, **options)
    try:
        return rollouts(list(prompts), trainer), trainer, users
    finally:
        rollouts.close()


class DialogueRolloutsTest(unittest.TestCase):
    def test_tokens_are_those_of_the_whole_dialogue_and_only_the_policys_are_learnt(self):
        said, trainer, users = played(lambda messages: f"Tell me ë {len(messages)}.", turns=3)
        tokens = trainer.processing_class
        for at, dialogue in enumerate(said["dialogue"]):
            whole = tokens.apply_chat_template(dialogue, tokenize=False)
            ids = said["prompt_ids"][at] + said["completion_ids"][at]
            # The last word is the user's, and the prompt for another turn of the policy stands behind it.
            self.assertEqual(tokens.decode(ids), whole + "<|im_start|>assistant\n")
            learnt = [one for one, mask in zip(said["completion_ids"][at], said["env_mask"][at]) if mask]
            self.assertEqual(tokens.decode(learnt), "One?<|im_end|>Two?<|im_end|>Three?<|im_end|>")
        self.assertEqual([len(messages) for messages in said["dialogue"]], [8, 9])
        self.assertEqual({facts["termination"] for facts in said["rollout"]}, {"turn limit"})
        self.assertEqual(said["session"], ["run.0.1.0.0", "run.0.1.0.1"])
        first = users.heard[0]
        self.assertEqual(first[0], [{"role": "system", "content": "You are 1."}, {"role": "user", "content": "Hello."}])
        self.assertEqual(first[1], "population")
        self.assertEqual(first[2]["X-CA-Group"], "run.0.1.0")

    def test_a_user_that_is_done_ends_its_dialogue_alone(self):
        def say(messages):
            return "Bye. ###STOP###" if "0" in messages[0]["content"] else "Go on."

        said, trainer, _ = played(say, turns=2)
        self.assertEqual([facts["termination"] for facts in said["rollout"]], ["user stop", "turn limit"])
        self.assertEqual([len(ids) for ids, _ in trainer.contexts], [2, 1])
        self.assertEqual(said["dialogue"][0][-1]["content"], "Bye. ###STOP###")

    def test_a_dialogue_that_nobody_answers_has_failed_and_nothing_of_it_is_learnt(self):
        def say(messages):
            return GatewayError("broken", 502) if "0" in messages[0]["content"] else "Go on."

        said, _, _ = played(say, turns=2)
        failed, other = said["rollout"]
        self.assertEqual((failed["failed"], failed["on_record"]), ("broken", False))
        self.assertEqual(set(said["env_mask"][0]), {0})
        self.assertGreater(len(said["completion_ids"][0]), 0)
        self.assertEqual((other["failed"], other["on_record"], other["simulator"]), (None, True, "birch"))

    def test_completions_stay_within_their_length(self):
        for room in (1, 5, 24, 60, 200):
            said, trainer, _ = played(lambda _: "Tell me more of it.", turns=6, turn_tokens=12, room=room)
            for at, ids in enumerate(said["completion_ids"]):
                self.assertTrue(1 <= len(ids) <= room)
                self.assertEqual(len(said["env_mask"][at]), len(ids))
            self.assertTrue(all(limit <= 12 for _, limit in trainer.contexts))
            self.assertEqual(trainer.generation_config.max_new_tokens, 99)

    def test_a_turn_that_was_cut_off_ends_like_any_other_and_its_end_is_not_learnt(self):
        said, trainer, _ = played(lambda _: "Yes.", lines=["A long story."], prompts=[PROMPT], turns=1, turn_tokens=4)
        self.assertEqual(said["dialogue"][0][2]["content"], "A lo")
        self.assertEqual(said["completion_ids"][0][4], trainer.processing_class.eos_token_id)
        self.assertEqual(said["env_mask"][0][:5], [1, 1, 1, 1, 0])

    def test_evaluation_meets_the_held_out_panel(self):
        users = Users(lambda _: "Yes.")
        steering = Steering("http://127.0.0.1:1", users=users, run="run")
        trainer = Trainer(["One?"])
        trainer.model.training = False
        DialogueRollouts(steering, turns=1)([PROMPT], trainer)
        self.assertEqual(users.heard[0][1], "panel/selection")


if __name__ == "__main__":
    unittest.main()
