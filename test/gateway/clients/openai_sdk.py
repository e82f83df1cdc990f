"""The official openai package for Python against a gateway: python openai_sdk.py BASE_URL KEY. Prints one JSON object."""

import json
import sys

import openai

base_url, key = sys.argv[1:3]
client = openai.OpenAI(base_url=base_url, api_key=key, max_retries=0)
MESSAGES = [
    {"role": "system", "content": "<scenario>You ordered a lamp.</scenario>"},
    {"role": "user", "content": "Hi! How can I help you today?"},
]
TOOLS = [
    {
        "type": "function",
        "function": {"name": "toggle", "parameters": {"type": "object", "properties": {"on": {"type": "boolean"}}}},
    }
]


def ask(session, text="", **more):
    """The upstream of the test says what the last message asks for."""
    messages = [*MESSAGES, *more.pop("then", [])]
    messages[-1] = {**messages[-1], "content": messages[-1]["content"] + text}
    headers = {"X-Session-ID": session}
    return client.chat.completions.with_raw_response.create(
        **{"model": "population", "messages": messages, "extra_headers": headers, **more}
    )


def failure(call):
    try:
        call()
    except openai.APIError as error:
        return {
            "type": type(error).__name__,
            "status": getattr(error, "status_code", None),
            "code": error.code,
            "param": error.param,
        }
    return None


out = {}
first = ask("whole")
reply = first.parse()
again = ask(
    "whole",
    then=[{"role": "assistant", "content": reply.choices[0].message.content}, {"role": "user", "content": "And now?"}],
)
out["whole"] = {
    "text": reply.choices[0].message.content,
    "usage": reply.usage.total_tokens,
    "headers": {name: first.headers.get(name) for name in ("x-ca-simulator", "x-session-id", "x-request-id")},
    "request_id": reply._request_id,
    "turns": [one.headers.get("x-ca-turn") for one in (first, again)],
}

pieces, usage = [], None
for chunk in ask("stream", stream=True, stream_options={"include_usage": True}).parse():
    if chunk.choices and chunk.choices[0].delta.content:
        pieces.append(chunk.choices[0].delta.content)
    usage = chunk.usage or usage
out["stream"] = {"text": "".join(pieces), "pieces": len(pieces), "usage": usage and usage.total_tokens}

called = ask("tools", text=" CALL", tools=TOOLS).parse().choices[0]
out["tools"] = {"reason": called.finish_reason, "call": called.message.tool_calls[0].function.model_dump()}
with client.chat.completions.stream(
    model="population",
    messages=[MESSAGES[0], {"role": "user", "content": "Hi CALL"}],
    tools=TOOLS,
    extra_headers={"X-Session-ID": "tools-stream"},
) as stream:
    out["tools"]["streamed"] = stream.get_final_completion().choices[0].message.tool_calls[0].function.arguments

out["models"] = [model.id for model in client.models.list()]
stranger = openai.OpenAI(base_url=base_url, api_key="wrong", max_retries=0)
out["errors"] = {
    "model": failure(lambda: ask("e1", model="nobody")),
    "n": failure(lambda: ask("e2", n=2)),
    "key": failure(lambda: stranger.chat.completions.create(model="population", messages=MESSAGES)),
    "busy": failure(lambda: ask("e3", text=" BUSY")),
    "broken": failure(lambda: list(ask("e4", text=" BREAK", stream=True).parse())),
}
patient = openai.OpenAI(base_url=base_url, api_key=key, max_retries=2)
out["patient"] = (
    patient.chat.completions.create(
        model="population", messages=[MESSAGES[0], {"role": "user", "content": "Hi ONCE"}]
    )
    .choices[0]
    .message.content
)
print(json.dumps(out))
