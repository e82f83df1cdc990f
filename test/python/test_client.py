"""The Python client against a gateway of http.server. Run by client.test.ts, or: python3 -m unittest test/python/test_client.py"""

import json
import os
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../python"))
from collapse_aware import CollapseAwareClient, GatewayError, session_headers  # noqa: E402
from collapse_aware.flat_metrics import flat_metrics  # noqa: E402


class Gateway:
    """answer(asked, number) gives a value for the body, or (status, headers, value)."""

    def __init__(self, answer):
        gateway = self
        self.asked, self.connections, lock = [], set(), threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def reply(self):
                url = urlsplit(self.path)
                text = self.rfile.read(int(self.headers.get("content-length", 0)))
                asked = {
                    "what": f"{self.command} {url.path}",
                    "query": dict(parse_qsl(url.query)),
                    "headers": self.headers,
                    "body": json.loads(text) if text else None,
                }
                with lock:
                    gateway.asked.append(asked)
                    gateway.connections.add(self.client_address)
                    number = len(gateway.asked) - 1
                value = answer(asked, number)
                if callable(value):
                    value(self)
                    return
                status, headers, value = value if isinstance(value, tuple) else (200, {}, value)
                body = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                for name, header in headers.items():
                    self.send_header(name, header)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_PATCH = reply

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # A client that gives up is what some tests are about.
        self.server.handle_error = lambda *_: None
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def refused(status, headers=None, code="x"):
    return status, headers or {}, {"error": {"message": f"refused with {status}", "type": "t", "code": code}}


def gate(level, revision):
    return {
        "training": "hold" if level in ("red", "half-open") else "go",
        "level": level,
        "reasons": [f"level {level}"],
        "epoch": 4,
        "psod": {"due": True},
        "revision": revision,
    }


class ClientTest(unittest.TestCase):
    def served(self, answer, **options):
        gateway = Gateway(answer)
        self.addCleanup(gateway.close)
        client = CollapseAwareClient(gateway.url + "/v1/", "secret", **{"timeout": 5, **options})
        self.addCleanup(client.close)
        return client, gateway

    def down(self, **options):
        gateway = Gateway(lambda *_: {})
        gateway.close()
        return CollapseAwareClient(gateway.url, "secret", retries=0, **options)

    def setUp(self):
        import logging

        logging.disable(logging.CRITICAL)

    def test_a_call_is_one_request_a_batch_under_the_admin_key(self):
        client, gateway = self.served(lambda *_: {"accepted": 2, "rejected": []})
        self.assertEqual(client.rewards({"b": 1, "a": float("nan")}), {"accepted": 2, "rejected": []})
        (asked,) = gateway.asked
        self.assertEqual(asked["what"], "POST /api/rewards")
        self.assertEqual(asked["headers"]["authorization"], "Bearer secret")
        entries = [{"session": "b", "reward": 1.0}, {"session": "a", "reward": None}]
        self.assertEqual(asked["body"], {"rewards": entries})

    def test_answers_are_found_by_id_whatever_the_order_of_the_batch(self):
        weight = {f"s{at}": at / 7 for at in range(1, 14)}

        def answer(asked, _):
            ids = asked["body"]["ids"]
            known = {one: weight[one] for one in sorted(ids, reverse=True) if one in weight}
            unknown = [{"id": one, "reason": "r"} for one in ids if one not in weight]
            return {"weights": known, "unknown": unknown, "ess": 1, "notes": []}

        client, _ = self.served(answer)
        batch = [f"s{at}" for at in (7, 3, 13, 1, 99, 5)]
        for ids in (batch, batch[::-1], sorted(batch)):
            reply = client.weights(ids)
            self.assertEqual([reply["weights"].get(one) for one in ids], [weight.get(one) for one in ids])
            self.assertEqual(reply["unknown"], [{"id": "s99", "reason": "r"}])

    def test_a_busy_gateway_is_asked_again_when_it_says(self):
        def answer(_, number):
            return [refused(429, {"retry-after": "0"}), refused(503, {"retry-after": "0"}), gate("green", 1)][number]

        client, gateway = self.served(answer)
        self.assertEqual(client.gate()["level"], "green")
        self.assertEqual(client.counts, {"requests": 3, "retries": 2, "stood_in": 0})
        self.assertEqual(len(gateway.connections), 1)

    def test_a_wait_that_outlasts_the_call_is_not_begun(self):
        client, gateway = self.served(lambda *_: refused(429, {"retry-after": "3600"}), failopen=False)
        with self.assertRaises(GatewayError) as caught:
            client.gate()
        self.assertEqual((caught.exception.status, caught.exception.retry_after), (429, 3600))
        self.assertEqual(len(gateway.asked), 1)

    def test_what_the_gateway_refuses_is_raised_also_with_failopen_and_without_the_key(self):
        client, gateway = self.served(lambda *_: refused(401, code="invalid_api_key"))
        with self.assertRaises(GatewayError) as caught:
            client.weights(["a"])
        self.assertEqual((caught.exception.status, caught.exception.code), (401, "invalid_api_key"))
        self.assertNotIn("secret", repr(caught.exception) + str(vars(caught.exception)))
        self.assertEqual(len(gateway.asked), 1)

    def test_where_it_is_down_training_goes_on(self):
        client = self.down()
        self.assertEqual(client.weights(["b", "a"])["weights"], {"a": 1, "b": 1})
        (decision,) = client.decide([{"id": "g", "sessions": ["b", "a"]}])
        self.assertEqual((decision["decision"], decision["usable"]), ("accept", ["b", "a"]))
        chosen = client.select(["x", {"id": "a", "group": "g"}, {"id": "b", "group": "g"}], 1)
        self.assertEqual((chosen["kept"], chosen["inclusion"]), (["x", "a", "b"], {"x": 1, "a": 1, "b": 1}))
        self.assertEqual(chosen["pairs"], [{"a": "a", "b": "b", "joint": 1}])
        self.assertEqual(client.wait_for_green()["timed_out"], False)
        self.assertEqual((client.epochs(3)["training"], client.gate()["view"]), ("go", None))
        self.assertEqual(client.record([{"id": "a"}])["rejected"][0]["code"], "unavailable")
        self.assertEqual(client.rewards({"a": 1})["accepted"], 0)
        flat = client.metrics()
        self.assertEqual((flat["collapse_aware/up"], flat["collapse_aware/stood_in"]), (0, 8))
        self.assertNotIn("collapse_aware/level", flat)

    def test_failing_closed_raises(self):
        client = self.down(failopen=False)
        for call in (client.gate, client.metrics, lambda: client.weights(["a"]), lambda: client.rewards({"a": 1})):
            with self.assertRaises(GatewayError) as caught:
                call()
            self.assertIsNone(caught.exception.status)
        with self.assertRaises(GatewayError):
            self.down().session("a")

    def test_a_silent_gateway_costs_its_time_limit_and_then_one_attempt_a_call(self):
        done = threading.Event()
        self.addCleanup(done.set)
        client, gateway = self.served(lambda *_: done.wait(20) and {}, timeout=0.05, retries=1)
        self.assertEqual(client.gate()["view"], None)
        self.assertEqual(len(gateway.asked), 2)
        client.gate()
        self.assertEqual(len(gateway.asked), 3)

    def test_a_reply_that_trickles_has_an_end(self):
        def trickle(handler):
            handler.send_response(200)
            handler.send_header("content-length", "100000")
            handler.end_headers()
            try:
                for _ in range(400):
                    handler.wfile.write(b" ")
                    time.sleep(0.02)
            except OSError:
                pass

        client, _ = self.served(lambda *_: trickle, timeout=0.2, retries=0)
        self.assertIsNone(client.gate()["view"])

    def test_a_kept_connection_that_was_closed_is_opened_anew(self):
        def last(handler):
            body = json.dumps(gate("green", 1)).encode()
            handler.send_response(200)
            handler.send_header("content-length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)
            handler.close_connection = True

        client, gateway = self.served(lambda *_: last, retries=0)
        for _ in range(3):
            self.assertIsNotNone(client.gate()["view"])
        self.assertEqual(len(gateway.connections), 3)

    def test_threads_share_a_client(self):
        def answer(asked, _):
            return {"weights": {one: int(one) for one in asked["body"]["ids"]}}

        client, gateway = self.served(answer)
        wrong = []

        def work(number):
            for at in range(20):
                one = str(100 * number + at)
                if client.weights([one])["weights"] != {one: int(one)}:
                    wrong.append(one)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((wrong, len(gateway.asked)), ([], 160))
        self.assertLessEqual(len(gateway.connections), 8)

    def test_a_batch_that_is_too_large_goes_in_halves(self):
        def answer(asked, _):
            rows = asked["body"]["trajectories"]
            return refused(413) if len(rows) > 2 else {"accepted": len(rows), "rejected": [{"id": rows[0]["id"]}]}

        client, _ = self.served(answer)
        receipt = client.record([{"id": one} for one in "abcde"])
        self.assertEqual(receipt["accepted"], 5)
        self.assertEqual([one["id"] for one in receipt["rejected"]], ["a", "c", "d"])

    def test_red_is_waited_out_with_a_limit(self):
        levels = ["red", "half-open", "yellow"]
        client, gateway = self.served(lambda _, number: gate(levels[number], number + 7))
        reply = client.wait_for_green()
        self.assertEqual((reply["level"], reply["timed_out"]), ("yellow", False))
        self.assertEqual([one["query"].get("after") for one in gateway.asked], [None, "7", "8"])
        held, _ = self.served(lambda *_: gate("red", 1))
        self.assertEqual(held.wait_for_green(0)["timed_out"], True)

    def test_trajectories_come_one_by_one_and_a_broken_reply_is_no_end(self):
        def chunked(*pieces, whole):
            def send(handler):
                handler.send_response(200)
                handler.send_header("transfer-encoding", "chunked")
                handler.end_headers()
                for piece in pieces:
                    handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                if whole:
                    handler.wfile.write(b"0\r\n\r\n")
                handler.close_connection = True

            return send

        pieces = (b'{"id": "a"}\n{"id', b'": "b"}\n\n{"id": ', b'"c"}')
        client, gateway = self.served(lambda _, number: chunked(*pieces, whole=number == 0))
        self.assertEqual([one["id"] for one in client.trajectories(of="all", epoch=None)], ["a", "b", "c"])
        self.assertEqual(gateway.asked[0]["query"], {"of": "all"})
        with self.assertRaises(GatewayError):
            list(client.trajectories(purpose=["training", "probe"]))
        self.assertEqual(gateway.asked[1]["query"], {"purpose": "training,probe"})
        with self.assertRaises(GatewayError):
            list(client.trajectories())

    def test_a_session_is_opened_with_names_as_either_language_spells_them(self):
        client, gateway = self.served(lambda *_: {})
        client.open_session(context_label="c", nested={"agent_seed": "1", "user_seed": "2"})
        client.open_session(contextLabel="c", nested={"agentSeed": "1", "userSeed": "2"})
        self.assertEqual([one["body"] for one in gateway.asked], 2 * [{"contextLabel": "c", "nested": {"agentSeed": "1", "userSeed": "2"}}])

    def test_paths_of_sessions_population_and_operator(self):
        client, gateway = self.served(lambda *_: {"checkpoints": ["c"]})
        client.open_session(id="s", group="g", run=None)
        client.session("a/b")
        client.end_session("a/b", "truncated")
        client.set_population({"draw": "uniform"}, "me")
        client.set_weights({"m": 2}, "me")
        self.assertEqual(client.push_checkpoint("pool", "c"), ["c"])
        client.override("green", by="me", reason="why")
        client.release("me")
        self.assertEqual(
            [one["what"] for one in gateway.asked],
            [
                "POST /api/sessions",
                "GET /api/sessions/a%2Fb",
                "POST /api/sessions/a%2Fb/end",
                "PUT /api/population",
                "PATCH /api/population/weights",
                "POST /api/population/pool/checkpoints",
                "POST /api/breaker",
                "POST /api/breaker",
            ],
        )
        self.assertEqual(gateway.asked[0]["body"], {"id": "s", "group": "g"})
        self.assertEqual(gateway.asked[6]["body"], {"level": "green", "by": "me", "reason": "why"})


class FlatMetricsTest(unittest.TestCase):
    def test_holds_numbers_alone_and_says_what_is_missing(self):
        figure = {"value": 0.25, "low": 0.2, "high": None}
        report = {"scd": {"pooled2": {"value": 0.5}}, "psod": {"value": None, "rise": {"value": -0.1}}}
        training = {"scd2": figure, "scd": {"value": None}, "mci": {"simulator": "one", "figure": {"value": 0.75}}}
        view = {"report": report, "training": training, "window": {"sessions": 3}}
        flat = flat_metrics(view, gate("half-open", 1), {"stood_in": 2})
        for value in flat.values():
            self.assertIsInstance(value, (int, float))
        told = {name.split("/")[1]: value for name, value in flat.items()}
        self.assertEqual((told["scd2"], told["scd2_low"], told["psod_rise"]), (0.25, 0.2, -0.1))
        self.assertEqual((told["mci"], told["scd2_all"], told["scd_missing"]), (0.75, 0.5, 1))
        self.assertEqual((told["level"], told["hold"], told["psod_due"], told["up"]), (2, 1, 1, 1))
        self.assertEqual((told["psod_missing"], told["bdi_missing"], told["stood_in"]), (1, 1, 2))
        for name in ("scd2_high", "scd2_missing", "psod", "bdi"):
            self.assertNotIn(name, told)

    def test_before_there_is_a_report_no_figure_is_zero(self):
        view = {"report": None, "training": None, "window": {"sessions": 0}}
        flat = flat_metrics(view, gate("green", 1), {})
        self.assertEqual(flat["collapse_aware/scd2_missing"], 1)
        self.assertNotIn("collapse_aware/scd2", flat)


class SessionHeadersTest(unittest.TestCase):
    def test_name_what_is_known(self):
        headers = session_headers("s-1", group="g", epoch=3, checkpoint=7)
        wanted = {"X-Session-ID": "s-1", "X-CA-Group": "g", "X-CA-Epoch": "3", "X-CA-Checkpoint": "7"}
        self.assertEqual(headers, wanted)

    def test_refuse_what_a_header_cannot_carry(self):
        for bad in ("", "a\r\nb", "é", "x" * 201):
            with self.assertRaises(ValueError):
                session_headers(bad)


if __name__ == "__main__":
    unittest.main()
