"""Answers as a policy that is trained in this process: /v1/chat/completions for what it says, /score for its reward.

What vLLM or another server does for a policy of a real size. For the model of trl_dialogue.py, whose turn is one token:
every step's weights are kept and served as ``step-N``, the newest as ``policy`` too. It answers while training waits.
"""

from __future__ import annotations

import copy
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Sequence

import torch
from transformers import TrainerCallback

Message = Dict[str, Any]


class PolicyServer(TrainerCallback):
    """tokens: the tokenizer. sayable: ids that the policy may say. reward: of a whole dialogue, as the policy sees it."""

    def __init__(
        self, port: int, model: Any, tokens: Any, sayable: Sequence[int], reward: Callable[[List[Message]], float]
    ) -> None:
        self._tokens, self._reward = tokens, reward
        self._silent = torch.ones(len(tokens), dtype=torch.bool)
        self._silent[list(sayable)] = False
        self._lock = threading.Lock()
        self._kept: Dict[str, Any] = {}
        self._keep(0, model)
        self._http = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self.port = self._http.server_address[1]
        self._thread = threading.Thread(target=self._http.serve_forever, name="policy-server", daemon=True)
        self._thread.start()

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._keep(state.global_step, kwargs["model"])

    def join(self) -> None:
        """Goes on answering until the process is stopped."""
        self._thread.join()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def _keep(self, step: int, model: Any) -> None:
        own = copy.deepcopy(model).eval()
        own.zero_grad(set_to_none=True)
        with self._lock:
            self._kept[f"step-{step}"] = self._kept["policy"] = own

    def answer(self, asked: Dict[str, Any]) -> Dict[str, Any]:
        name = asked.get("model", "policy")
        with self._lock:
            model = self._kept.get(name)
        if model is None:
            raise KeyError(name)
        ids = self._tokens.apply_chat_template(
            asked["messages"], add_generation_prompt=True, tokenize=True, return_dict=False
        )
        luck = torch.Generator()
        # Without a seed every answer has its own luck, and training's is left alone.
        luck.manual_seed(int(asked["seed"])) if asked.get("seed") is not None else luck.seed()
        heat = max(float(asked.get("temperature") or 1.0), 1e-3)
        with self._lock, torch.no_grad():
            logits = model(torch.tensor([list(ids)])).logits[0, -1]
        chances = torch.softmax(logits.masked_fill(self._silent, -torch.inf) / heat, dim=0)
        said = int(torch.multinomial(chances, 1, generator=luck))
        message = {"role": "assistant", "content": self._tokens.decode([said])}
        return {
            "object": "chat.completion",
            "model": name,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": len(ids), "completion_tokens": 1, "total_tokens": len(ids) + 1},
        }

    def _handler(self) -> type:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                try:
                    asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
                    if self.path == "/v1/chat/completions":
                        self._send(200, server.answer(asked))
                    elif self.path == "/score":
                        self._send(200, {"reward": server._reward(asked["messages"])})
                    else:
                        self._send(404, {"error": {"message": f"nothing is served at {self.path}"}})
                except KeyError as error:
                    self._send(404, {"error": {"message": f"there is no {error}", "code": "model_not_found"}})
                except (ValueError, TypeError) as error:
                    self._send(400, {"error": {"message": str(error)}})

            def _send(self, status: int, body: Dict[str, Any]) -> None:
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                pass

        return Handler
