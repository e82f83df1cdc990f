"""Trains the simulator of the arm `co-training` beside the policy: python co_train.py --gateway URL --output FOLDER

Once an epoch, when the gateway says that a checkpoint is due, the simulator takes one policy-gradient step on its own
turns of that epoch, with the curriculum reward; its adapter is saved, loaded by the server that serves it
(vLLM's load_lora_adapter) and pushed into the pool. Ends with the gateway. Written for transformers and peft; not run on GPUs.
"""

import argparse
import json
import os
import sys
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

import torch
from collapse_aware import CollapseAwareClient, GatewayError
from peft import LoraConfig, get_peft_model
from simulator_reward import advantages
from transformers import AutoModelForCausalLM, AutoTokenizer

ROLES = {"user": "assistant", "agent": "user"}


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gateway", required=True)
    parser.add_argument("--output", required=True, help="folder for adapters, which the server can read")
    parser.add_argument("--member", default="co")
    parser.add_argument("--model", default="Qwen/Qwen3-4B-Instruct-2507")
    parser.add_argument("--learning-rate", type=float, default=1e-5)
    parser.add_argument("--tokens", type=int, default=4096, help="longest dialogue; the end of longer ones is left out")
    return parser.parse_args()


def due(client, member):
    """The epoch that is over, once a checkpoint is due; None where it is not."""
    view = client.gate(wait=30)["view"]
    if view is None or all(one["pool"] != member for one in view.get("checkpointsDue") or []):
        return None
    return view["epoch"] - 1


def tokens_of(tokenizer, session, most):
    """Ids of the dialogue as the simulator saw it, and 1 where a token is its own."""
    messages = [{"role": "system", "content": session["scenario"] or ""}]
    ids, own = None, []
    for turn in session["turns"]:
        if turn["role"] not in ROLES or not turn["text"]:
            continue
        messages.append({"role": ROLES[turn["role"]], "content": turn["text"]})
        longer = list(tokenizer.apply_chat_template(messages, tokenize=True, return_dict=False))
        # A template that changes what came before it cannot be followed token by token.
        if ids is not None and longer[: len(ids)] != ids:
            return None
        own += [int(turn["role"] == "user")] * (len(longer) - len(own))
        ids = longer
    return None if ids is None else (ids[:most], own[:most])


def step(model, tokenizer, optimizer, sessions, most):
    wanted = advantages(sessions)
    optimizer.zero_grad()
    used, total = 0, sum(abs(value) > 0 for value in wanted.values())
    for session in sessions:
        advantage = wanted.get(session["id"], 0.0)
        encoded = tokens_of(tokenizer, session, most) if advantage else None
        if encoded is None:
            continue
        ids, own = (torch.tensor([one], device=model.device) for one in encoded)
        logprobs = torch.log_softmax(model(ids).logits[:, :-1].float(), dim=-1)
        said = logprobs.gather(-1, ids[:, 1:, None]).squeeze(-1)
        mask = own[:, 1:].float()
        loss = -advantage * (said * mask).sum() / mask.sum().clamp(min=1) / max(total, 1)
        loss.backward()
        used += 1
    if used:
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return used


def load(name, folder):
    """Tells the server of the simulator of its new adapter."""
    root = os.environ["USERS_COTRAIN_URL"].rstrip("/")
    request = urllib.request.Request(
        f"{root}/load_lora_adapter",
        data=json.dumps({"lora_name": name, "lora_path": str(folder)}).encode(),
        headers={"content-type": "application/json", "authorization": f"Bearer {os.environ['USERS_KEY']}"},
    )
    urllib.request.urlopen(request, timeout=120).read()


def main():
    asked = options()
    client = CollapseAwareClient(asked.gateway, os.environ["CA_ADMIN_KEY"], failopen=False)
    tokenizer = AutoTokenizer.from_pretrained(asked.model)
    model = AutoModelForCausalLM.from_pretrained(asked.model, dtype="auto", device_map="auto")
    model = get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", r=32, lora_alpha=64, target_modules="all-linear"))
    optimizer = torch.optim.AdamW([one for one in model.parameters() if one.requires_grad], lr=asked.learning_rate)
    while True:
        try:
            epoch = due(client, asked.member)
            if epoch is None:
                time.sleep(1)
                continue
            sessions = list(client.trajectories(of="closed", epoch=epoch, split="seen", purpose=["training"]))
            used = step(model, tokenizer, optimizer, sessions, asked.tokens)
            name = f"{asked.member}-epoch-{epoch}"
            folder = Path(asked.output) / name
            model.save_pretrained(folder)
            load(name, folder)
            client.push_checkpoint(asked.member, name, by="co_train.py")
            print(f"{name}: a step on {used} of {len(sessions)} sessions", flush=True)
        except GatewayError as error:
            if error.status is None:
                print("the gateway is gone", flush=True)
                return
            raise


if __name__ == "__main__":
    main()
