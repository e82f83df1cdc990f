"""A verl agent loop for benchmarks that bring an agent of their own and ask a chat API for its turns.

For each rollout a chat API of one episode is opened on loopback; the benchmark plays the episode against it, as it would
against any server, while the tokens of the policy's turns are kept for training. Written for verl 0.9.1, from its
sources; needs verl, and GPUs, to run.
"""

import asyncio
import importlib
import json
import os
import time
import uuid

from aiohttp import web
from collapse_aware import CollapseAwareClient, session_headers
from episode_failed import EpisodeFailed
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register
from verl.experimental.agent_loop.tool_parser import ToolParser

#: Said where the policy has no tokens left: the benchmark ends the episode as it ends a silent agent's.
OUT_OF_ROOM = "The conversation is too long to go on."


@register("stage_zero_episode")
class EpisodeLoop(AgentLoopBase):
    """`episode`: module and function, `module:name`, called in a thread as
    ``episode(task, policy_url=..., user_url=..., user_model=..., user_key=..., headers=...) -> reward``."""

    def __init__(self, *args, episode, tool_format="hermes", gateway=None, **kwargs):
        super().__init__(*args, **kwargs)
        module, name = episode.split(":")
        self._episode = getattr(importlib.import_module(module), name)
        self._gateway = gateway or os.environ["STAGE_ZERO_GATEWAY"]
        self._client = CollapseAwareClient(self._gateway, os.environ["CA_ADMIN_KEY"], failopen=False)
        self._parser = ToolParser.get_tool_parser(tool_format, self.tokenizer)

    async def run(self, sampling_params, **kwargs):
        session = f"{kwargs['uid']}_{kwargs['session_id']}"
        facts = kwargs.get("extra_info") or {}
        task = str(facts["task"])
        # Rows for validation name the panel that is met; rows for training name none.
        model = facts.get("panel") or "population"
        headers = session_headers(session, group=None if facts.get("panel") else str(kwargs["uid"]), run="training", task=task)
        talk = Talk(self, sampling_params)
        url, close = await talk.serve()
        try:
            reward = await asyncio.get_running_loop().run_in_executor(
                None,
                lambda: self._episode(
                    task,
                    policy_url=url,
                    user_url=f"{self._gateway}/v1",
                    user_model=model,
                    user_key=os.environ["CA_CLIENT_KEY"],
                    headers=headers,
                ),
            )
        except EpisodeFailed as error:
            await self._report({"session": session, "reward": None, "termination": f"infrastructure error: {error}"[:300]})
            raise
        finally:
            await close()
        await self._report({"session": session, "reward": reward})
        return talk.output(reward, session)

    async def _report(self, row):
        await asyncio.get_running_loop().run_in_executor(None, lambda: self._client.rewards([row]))


class Talk:
    """The policy's side of one episode: messages, tokens, and which of them are its own."""

    def __init__(self, loop, sampling_params):
        self._loop, self._sampling = loop, sampling_params
        self._messages, self._tools = [], None
        self._ids, self._mask, self._logprobs = [], [], None
        self._turns, self._request = 0, uuid.uuid4().hex
        self._extra = {}
        self._lock = asyncio.Lock()

    async def serve(self):
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", self._answer)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}/v1", runner.cleanup

    async def _answer(self, request):
        body = await request.json()
        async with self._lock:
            message = await self._next(body["messages"], body.get("tools"))
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if message.get("tool_calls") else "stop"}
        return web.json_response(
            {
                "id": f"chatcmpl-{self._request}-{self._turns}",
                "object": "chat.completion",
                "created": int(time.time()),
                "model": body.get("model", "policy"),
                "choices": [choice],
                "usage": {"prompt_tokens": len(self._ids), "completion_tokens": 0, "total_tokens": len(self._ids)},
            }
        )

    async def _next(self, messages, tools):
        if self._turns == 0:
            self._tools = tools
            self._ids = await self._loop.ct_build_initial_tokens(messages, tools=tools)
        else:
            # What came since the policy's last turn. Its own turns stay as it generated them, whatever the client made
            # of them; a client that shortens its history cannot be followed.
            added = messages[len(self._messages) :]
            if not added:
                raise web.HTTPBadRequest(text="the history was shortened: switch compaction off")
            updated = [*self._messages, *added]
            merged, self._mask, self._logprobs = await self._loop.ct_merge_context_msg(
                self._messages, updated, self._ids, self._mask, self._logprobs, tools=self._tools
            )
            self._ids, messages = merged.token_ids, updated
        if len(self._mask) >= self._loop.rollout_config.response_length:
            return {"role": "assistant", "content": OUT_OF_ROOM}
        output = await self._loop.server_manager.generate(
            request_id=self._request, prompt_ids=self._ids, sampling_params=self._sampling
        )
        self._extra = {**output.extra_fields, **self._extra}
        known = self._logprobs if self._logprobs or not output.log_probs else [0.0] * len(self._mask)
        merged, self._mask, self._logprobs = await self._loop.ct_merge_assistant_token(
            self._ids, output.token_ids, self._mask, known, assistant_logprobs=output.log_probs or None
        )
        self._ids = merged.token_ids
        self._turns += 1
        message = await self._message(output.token_ids)
        self._messages = [*messages, message]
        return message

    async def _message(self, ids):
        text, calls = await self._loop._parser.extract_tool_calls(ids, None)
        if not calls:
            # The parser leaves the token that ends a turn in the text.
            text = self._loop.tokenizer.decode(ids, skip_special_tokens=True)
        message = {"role": "assistant", "content": text or ""}
        if self._tools and calls:
            message["tool_calls"] = [
                {
                    "id": f"call_{self._turns}_{at}",
                    "type": "function",
                    "function": {"name": call.name, "arguments": _as_text(call.arguments)},
                }
                for at, call in enumerate(calls)
            ]
        return message

    def output(self, reward, session):
        own = len(self._mask)
        most = self._loop.rollout_config.response_length
        return AgentLoopOutput(
            prompt_ids=self._ids[: len(self._ids) - own],
            response_ids=self._ids[len(self._ids) - own :][:most],
            response_mask=self._mask[:most],
            response_logprobs=self._logprobs[:most] if self._logprobs else None,
            reward_score=float(reward),
            num_turns=2 * self._turns,
            metrics={},
            extra_fields={**self._extra, "session": session, "turn_scores": [], "tool_rewards": []},
        )


def _as_text(arguments):
    return arguments if isinstance(arguments, str) else json.dumps(arguments)
