"""What a trainer asks of a gateway, against one of http.server. Run by client.test.ts; needs the standard library alone."""

import logging
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../python")]
from test_client import Gateway, gate, refused  # noqa: E402

from collapse_aware import CollapseAwareClient, GatewayError  # noqa: E402
from collapse_aware.dialogue import Dialogue, task_of  # noqa: E402
from collapse_aware.gateway_users import GatewayUsers  # noqa: E402
from collapse_aware.steering import Steering  # noqa: E402


def setUpModule():
    logging.disable(logging.CRITICAL)


def row(session, reward=1.0, **more):
    facts = {"failed": None, "on_record": True, "stood_in": False, "held": 0, "termination": "user stop"}
    return {"session": session, "group": session[0], "reward": reward, **facts, **more}


class Case(unittest.TestCase):
    def served(self, answer):
        gateway = Gateway(answer)
        self.addCleanup(gateway.close)
        return gateway

    def steering(self, gateway, **options):
        client = CollapseAwareClient(gateway.url, "k", retries=0, failopen=options.get("failopen", True))
        made = Steering(gateway.url, "k", client=client, **options)
        self.addCleanup(made.close)
        return made

    def bodies(self, gateway, what):
        return [asked["body"] for asked in gateway.asked if asked["what"] == what]


class SteeringTest(Case):
    def test_a_run_joins_the_epoch_under_way_and_goes_up_from_there(self):
        begun = []

        def answer(asked, _):
            if asked["what"] == "GET /api/gate":
                return {**gate("green", 1), "epoch": 7}
            begun.append(asked["body"]["epoch"])
            # Somebody else moved on meanwhile.
            return refused(409, code="epoch_over") if begun[-1] == 5 + 4 else gate("green", 1)

        steering = self.steering(self.served(answer))
        self.assertEqual([steering.begin_epoch(step)["epoch"] for step in (3, 4, 4)], [7, 8, 8])
        gateway_moved = self.served(lambda asked, _: {**gate("green", 1), "epoch": 0})
        self.assertEqual(self.steering(gateway_moved).begin_epoch(3)["epoch"], 3)

    def test_an_epoch_may_have_several_steps_and_the_last_one_ends_with_training(self):
        gateway = self.served(lambda *_: {**gate("green", 1), "epoch": 0})
        steering = self.steering(gateway, epoch_steps=3)
        self.assertEqual([steering.begin_epoch(step)["epoch"] for step in range(7)], [0, 0, 0, 1, 1, 1, 2])
        for steps, following in ((6, 2), (7, 3), (9, 3)):
            steering.end(steps)
            self.assertEqual(self.bodies(gateway, "POST /api/epochs")[-1]["epoch"], following)
        self.assertRaises(ValueError, Steering, gateway.url, epoch_steps=0)

    def test_an_epoch_that_is_over_is_left_behind(self):
        under_way = [2]

        def answer(asked, _):
            if asked["what"] == "GET /api/gate":
                return {**gate("green", 1), "epoch": under_way[0]}
            return gate("green", 1) if asked["body"]["epoch"] >= under_way[0] else refused(409, code="epoch_over")

        steering = self.steering(self.served(answer))
        self.assertEqual(steering.begin_epoch(2)["epoch"], 2)
        under_way[0] = 9
        self.assertEqual([steering.begin_epoch(step)["epoch"] for step in (3, 4)], [9, 10])

    def test_failed_rollouts_have_no_reward_and_are_in_no_group_that_is_decided(self):
        def answer(asked, _):
            if asked["what"] == "POST /api/rewards":
                return {"accepted": 1, "rejected": []}
            (group,) = asked["body"]["groups"]
            dropped = [{"session": "a3", "check": "raw-json", "reason": "r"}]
            return {"decisions": [{"decision": "accept", "reasons": [], "dropped": dropped, "group": group["id"]}]}

        gateway = self.served(answer)
        steering = self.steering(gateway)
        rows = [
            row("a1"),
            row("a2", 0.5, failed="nobody answered"),
            row("a3"),
            row("a4", on_record=False, failed="never begun"),
            row("a5", on_record=False, stood_in=True),
        ]
        unusable = steering.judge(rows, training=True)
        self.assertEqual(unusable, {"a2": "nobody answered", "a3": "raw-json: r", "a4": "never begun"})
        (rewards,) = self.bodies(gateway, "POST /api/rewards")
        self.assertEqual([(one["session"], one["reward"]) for one in rewards["rewards"]], [("a1", 1), ("a2", None), ("a3", 1)])
        (decided,) = self.bodies(gateway, "POST /api/decide")
        self.assertEqual(decided["groups"], [{"id": "a", "sessions": ["a1", "a3"]}])
        counts = steering.tally.numbers()
        self.assertEqual((counts["rollouts"], counts["rollouts_failed"]), (5, 2))
        self.assertEqual((counts["rollouts_dropped"], counts["rollouts_stood_in"]), (1, 1))

    def test_nobody_of_a_rejected_group_is_learnt_from(self):
        def answer(asked, _):
            if asked["what"] == "POST /api/rewards":
                return {"accepted": 1, "rejected": []}
            groups = [one["id"] for one in asked["body"]["groups"]]
            said = {"a": "reject", "b": "accept"}
            return {"decisions": [{"group": one, "decision": said[one], "reasons": ["r"], "dropped": []} for one in groups]}

        rows = [row("a1"), row("a2"), row("a3", on_record=False, stood_in=True), row("b1")]
        for order in (rows, rows[::-1]):
            steering = self.steering(self.served(answer))
            self.assertEqual(steering.judge(order, training=True), {"a1": "r", "a2": "r", "a3": "r"})
            self.assertEqual(steering.tally["groups_rejected"], 1)

    def test_evaluation_is_reported_and_not_decided(self):
        gateway = self.served(lambda *_: {"accepted": 1, "rejected": []})
        self.assertEqual(self.steering(gateway).judge([row("a1")], training=False), {})
        self.assertEqual([asked["what"] for asked in gateway.asked], ["POST /api/rewards"])

    def test_rewards_of_a_gateway_that_is_down_are_sent_when_it_is_back(self):
        down = [True]

        def answer(asked, _):
            if down[0]:
                return refused(503)
            if asked["what"] == "POST /api/decide":
                return {"decisions": []}
            return {"accepted": 2, "rejected": [{"id": "a2", "code": "reward_invalid", "reason": "r"}]}

        gateway = self.served(answer)
        steering = self.steering(gateway)
        steering.judge([row("a1"), row("a2")], training=True)
        self.assertEqual(steering.numbers()["collapse_aware/rewards_owed"], 2)
        down[0] = False
        steering.judge([row("b1")], training=True)
        sent = self.bodies(gateway, "POST /api/rewards")[-1]["rewards"]
        self.assertEqual([one["session"] for one in sent], ["a1", "a2", "b1"])
        # What is refused for good is counted and not sent for ever.
        self.assertEqual(steering.tally["rewards_refused"], 1)
        self.assertEqual(len(steering._owed), 0)

    def test_weights_have_mean_1_over_all_that_is_learnt_from_whatever_the_order(self):
        said = {"a": 0.5, "b": 2.0, "c": 0.5}

        def answer(asked, _):
            ids = asked["body"]["ids"]
            return {"weights": {one: said[one] for one in ids}, "unknown": [{"id": "c", "reason": "r"}], "ess": 1}

        found = []
        for ids in ("abc", "cba", "bca"):
            steering = self.steering(self.served(answer))
            found.append(steering.weights(list(ids), ["d"]))
            self.assertEqual(steering.tally["weights_unknown"], 1)
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])
        self.assertAlmostEqual(sum(found[0].values()) / 4, 1, 12)
        self.assertAlmostEqual(found[0]["b"] / found[0]["a"], 4, 12)

    def test_without_a_gateway_everybody_counts_alike_or_nobody_is_asked_to_go_on(self):
        gateway = self.served(lambda *_: {})
        gateway.close()
        steering = self.steering(gateway)
        self.assertEqual(steering.begin_epoch(3), {"epoch": 3, "panel_due": False})
        self.assertEqual(steering.judge([row("a1")], training=True), {})
        self.assertEqual(steering.weights(["a1"]), {"a1": 1.0})
        numbers = steering.numbers()
        self.assertEqual(numbers["collapse_aware/up"], 0)
        self.assertGreaterEqual(numbers["collapse_aware/stood_in"], 4)
        closed = self.steering(gateway, failopen=False)
        self.assertRaises(GatewayError, closed.begin_epoch, 3)
        self.assertRaises(GatewayError, closed.weights, ["a1"])
        self.assertEqual(closed.numbers()["collapse_aware/up"], 0)

    def test_what_cannot_be_is_said_at_once(self):
        self.assertRaises(ValueError, Steering, "http://127.0.0.1:1", after_hold="wait")


class GatewayUsersTest(Case):
    def users(self, gateway, **options):
        made = GatewayUsers(gateway.url + "/v1", "client", timeout=5, **options)
        self.addCleanup(made.close)
        return made

    def test_a_turn_has_the_session_and_the_simulator_that_the_gateway_names(self):
        reply = {"choices": [{"message": {"content": "Hi."}}]}
        gateway = self.served(lambda *_: (200, {"X-Session-ID": "s~2", "X-CA-Simulator": "birch"}, reply))
        turn = self.users(gateway).reply([{"role": "user", "content": "Hello"}], "population", {"X-Session-ID": "s"})
        self.assertEqual((turn.text, turn.session, turn.simulator, turn.stood_in), ("Hi.", "s~2", "birch", False))
        (asked,) = gateway.asked
        self.assertEqual(asked["headers"]["x-session-id"], "s")
        self.assertEqual(asked["headers"]["authorization"], "Bearer client")

    def test_a_session_that_is_held_is_asked_for_until_it_is_let_in(self):
        reply = {"choices": [{"message": {"content": "Hi."}}]}
        held = refused(429, {"retry-after": "0"}, "training_held")
        gateway = self.served(lambda _, number: held if number < 5 else reply)
        counted = []
        self.assertEqual(self.users(gateway).reply([], "population", {}, lambda: counted.append(1)).text, "Hi.")
        self.assertEqual(len(counted), 5)

    def test_patience_with_a_hold_ends(self):
        gateway = self.served(lambda *_: refused(429, {"retry-after": "0"}, "training_held"))
        with self.assertRaises(GatewayError) as caught:
            self.users(gateway, held_seconds=0.05, stand_in=lambda _: "never").reply([], "population", {})
        self.assertEqual(caught.exception.code, "training_held")

    def test_a_stand_in_speaks_only_where_nobody_answers(self):
        gateway = self.served(lambda *_: refused(400))
        users = self.users(gateway, stand_in=lambda messages: f"Turn {len(messages)}.", down_seconds=0)
        self.assertRaises(GatewayError, users.reply, [], "population", {})
        gateway.close()
        turn = self.users(gateway, stand_in=lambda messages: f"Turn {len(messages)}.", down_seconds=0).reply(
            [{}], "population", {}
        )
        self.assertEqual((turn.text, turn.stood_in, turn.session), ("Turn 1.", True, None))

    def test_a_batch_waits_once_for_a_gateway_that_is_down(self):
        gateway = self.served(lambda *_: refused(503, {"retry-after": "0.05"}))
        users = self.users(gateway, down_seconds=0.3)
        self.assertRaises(GatewayError, users.reply, [], "population", {})
        waited = len(gateway.asked)
        self.assertGreater(waited, 1)
        for _ in range(5):
            self.assertRaises(GatewayError, users.reply, [], "population", {})
        self.assertEqual(len(gateway.asked), waited + 5)

    def test_a_call_instead_of_words_is_an_error(self):
        call = {"content": None, "tool_calls": [{"id": "c"}]}
        gateway = self.served(lambda *_: {"choices": [{"message": call}]})
        self.assertRaises(GatewayError, self.users(gateway).reply, [], "population", {})


class DialogueTest(unittest.TestCase):
    def dialogue(self, *messages, scenario="You want a lamp."):
        said = [{"role": role, "content": content} for role, content in messages]
        return Dialogue("s", "g", "t", scenario, said, [1, 2], "population", 0)

    def test_roles_are_turned_round_and_the_policys_instructions_stay_with_it(self):
        one = self.dialogue(("system", "Sell."), ("assistant", "Hello."), ("user", "Hi."))
        self.assertTrue(one.policy_speaks)
        turned = [("system", "You want a lamp."), ("user", "Hello."), ("assistant", "Hi.")]
        self.assertEqual([(said["role"], said["content"]) for said in one.for_user()], turned)
        self.assertFalse(self.dialogue(("system", "Sell."), ("assistant", "Hello.")).policy_speaks)
        self.assertEqual(self.dialogue(("user", "Hi."), scenario=None).for_user()[0]["role"], "assistant")

    def test_only_the_policys_tokens_are_its_own(self):
        one = self.dialogue(("user", "Hi."))
        one.said([5, 6], "Yes", [-0.5, -0.25])
        one.add([7], 0)
        one.said([8], "No", [-1.0])
        self.assertEqual(one.completion_ids, [5, 6, 7, 8])
        self.assertEqual(one.mask, [1, 1, 0, 1])
        self.assertEqual(one.logprobs, [-0.5, -0.25, 0.0, -1.0])

    def test_tasks_are_named_by_content_that_a_header_can_carry(self):
        prompt = [{"role": "user", "content": "Hé"}]
        self.assertEqual(task_of(prompt, None, "retail 7"), "retail 7")
        self.assertEqual(task_of(prompt, "a"), task_of([dict(prompt[0])], "a"))
        self.assertNotEqual(task_of(prompt, "a"), task_of(prompt, "b"))
        for named in ("é", "x" * 201, "a\nb", ""):
            self.assertTrue(task_of(prompt, None, named).isascii())


if __name__ == "__main__":
    unittest.main()
