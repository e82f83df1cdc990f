"""The reward of a dialogue over HTTP, for `collapse-aware evolve --scorer`: python scorer.py PORT"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import donation


class Scorer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
            turns = [one["content"] for one in asked["messages"] if one["role"] == "user"]
            self._send(200, {"reward": donation.reward(turns)})
        except (ValueError, TypeError, KeyError) as error:
            self._send(400, {"error": str(error)})

    def do_GET(self):
        self._send(200, {"scores": "donations"})

    def _send(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Scorer).serve_forever()
