"""litellm as tau2-bench calls it: python litellm_calls.py BASE_URL KEY. Prints one JSON object."""

import json
import logging
import os
import sys
import warnings

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
warnings.filterwarnings("ignore")
import litellm  # noqa: E402

litellm.suppress_debug_info = True
litellm.drop_params = True
logging.getLogger("LiteLLM").setLevel(logging.ERROR)
base_url, key = sys.argv[1:3]
SYSTEM = {"role": "system", "content": "Guidelines.\n<scenario>\nYou ordered a lamp.\n</scenario>"}
GREETING = {"role": "user", "content": "Hi! How can I help you today?"}
TOOLS = [
    {
        "type": "function",
        "function": {"name": "toggle", "parameters": {"type": "object", "properties": {"on": {"type": "boolean"}}}},
    }
]


def completion(messages, tools=None, seed=300, model="openai/population"):
    return litellm.completion(
        model=model,
        messages=messages,
        tools=tools,
        tool_choice="auto" if tools else None,
        api_base=base_url,
        api_key=key,
        num_retries=3,
        seed=seed,
    )


def header(response, name):
    return response._hidden_params["additional_headers"].get(f"llm_provider-{name}")


def failure(call):
    try:
        call()
    except Exception as error:  # litellm's own kinds, which share no base
        return {"type": type(error).__name__, "status": getattr(error, "status_code", None)}
    return None


def sent_back(message):
    """An assistant turn as tau2-bench puts it into the next request: calls are parsed and written anew."""
    calls = message.tool_calls and [
        {
            "id": call.id,
            "name": call.function.name,
            "function": {
                "name": call.function.name,
                "arguments": json.dumps(json.loads(call.function.arguments)),
            },
            "type": "function",
        }
        for call in message.tool_calls
    ]
    return {"role": "assistant", "content": message.content, "tool_calls": calls}


history, turns = [SYSTEM, GREETING], []
for at in range(3):
    if at == 1:
        history[-1] = {"role": "user", "content": "Please CALL the tool."}
    response = completion(history, tools=TOOLS)
    message = response.choices[0].message
    turns.append([header(response, "x-session-id"), header(response, "x-ca-turn")])
    history.append(sent_back(message))
    if message.tool_calls:
        history.append({"role": "tool", "content": "done: é", "tool_call_id": message.tool_calls[0].id})
    else:
        history.append({"role": "user", "content": "Go on."})

# Two dialogues of other tasks that begin with one greeting and one seed, turn by turn in turn.
crossed = {}
dialogues = {
    task: [{"role": "system", "content": f"<scenario>\nTask {task}\n</scenario>"}, GREETING] for task in "AB"
}
for _ in range(3):
    for task, messages in dialogues.items():
        response = completion(messages)
        crossed.setdefault(task, []).append(header(response, "x-session-id"))
        messages += [sent_back(response.choices[0].message), {"role": "user", "content": "Go on."}]

print(
    json.dumps(
        {
            "turns": turns,
            "crossed": crossed,
            "once": completion([SYSTEM, {"role": "user", "content": "Hi ONCE"}]).choices[0].message.content,
            "errors": {
                "model": failure(lambda: completion([SYSTEM, GREETING], model="openai/nobody")),
                "busy": failure(lambda: completion([SYSTEM, {"role": "user", "content": "Hi BUSY"}])),
            },
        }
    )
)
