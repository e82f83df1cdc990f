"""A small GRPO trainer behind a gateway, on one CPU: python trl_dialogue.py --gateway URL --steps N

The policy is a tiny model with random weights, whose words are what somebody says who asks for a donation; the users
are those of the gateway, by default scripted ones of the lab. A rule scores a dialogue by what the user gives in it.
Needs torch and trl (test/python/requirements.txt); nothing is downloaded. Prints one JSON object a step.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# TRL calls rollout_func experimental; its version is pinned.
os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

import datasets
import torch
import transformers
import trl
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, PrinterCallback, Qwen2Config, Qwen2ForCausalLM, TrainerCallback

from policy_server import PolicyServer

from collapse_aware.gateway_users import GatewayUsers
from collapse_aware.trl import CollapseAwareGRPOTrainer, DialogueRollouts, Steering

#: What the policy can say, a token each.
SENTENCES = [
    "Hello, how are you today?",
    "What kind of causes do you care about?",
    "You seem like a kind person.",
    "Anyone can read their reports.",
    "Money given now saves much more later.",
    "Think how good you would feel afterwards, knowing that you helped.",
    "Years ago I went through a hard time, and strangers helped me.",
    "It would be taken straight from your payment.",
    "Would you be willing to give some of your payment to the charity?",
    "Even a few cents would help.",
    "How much would you like to give?",
    "Thank you for your time. What have you decided?",
]
#: What it hears; every other word is the same to it.
HEARD = "user assistant system ? yes no not nothing cents dollar donate give charity who what sorry thanks".split()
AMOUNTS = {
    r"\b(ten|10) cents|\$0\.10|\b0\.10|\ba dime": 0.1,
    r"\b(twenty-five|25) cents|\ba quarter|\$0\.25|\b0\.25": 0.25,
    r"\b(fifty|50) cents|\bhalf a dollar|\$0\.50|\b0\.50": 0.5,
    r"\b(two|2|both) dollars|\$2\b|\ball of it|\bwhole (payment|sum)|\beverything": 2.0,
    r"\b(one|1|a|whole) dollar\b|\$1\b|\bhalf of (it|my payment)": 1.0,
}
STOP = "###STOP###"
LIVES = ["work from home", "study", "are between two jobs", "look after a child", "work at night", "are retired"]


def tokenizer():
    special = ["<|im_start|>", "<|im_end|>", "<|endoftext|>", "[UNK]"]
    vocab = {word: at for at, word in enumerate(special + HEARD)}
    words = Tokenizer(models.WordLevel(vocab, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.add_tokens([AddedToken(sentence, normalized=False) for sentence in SENTENCES])
    made = PreTrainedTokenizerFast(
        tokenizer_object=words,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        unk_token="[UNK]",
        additional_special_tokens=["<|im_start|>"],
    )
    template = Path(trl.__file__).parent / "chat_templates" / "qwen2_5_training.jinja"
    made.chat_template = template.read_text(encoding="utf-8")
    return made


def policy(tokens, folder=None):
    if folder is not None:
        return Qwen2ForCausalLM.from_pretrained(folder)
    return Qwen2ForCausalLM(
        Qwen2Config(
            vocab_size=len(tokens),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
        )
    )


def prompts(count):
    """The policy has said hello, so that a user speaks first; each user is somebody else."""
    prompt = [{"role": "system", "content": "assistant"}, {"role": "assistant", "content": SENTENCES[0]}]
    rows = []
    for at in range(count):
        life = f"You {LIVES[at % len(LIVES)]} and have {5 + at // len(LIVES)} minutes."
        scenario = f"You take part in a paid online task. Your payment is two dollars; you need not give any. {life}"
        rows.append({"prompt": prompt, "scenario": scenario, "task": f"task-{at}"})
    return datasets.Dataset.from_list(rows)


def given(text):
    """Dollars that a user says to give; None where it says no sum."""
    said = text.lower()
    for pattern, amount in AMOUNTS.items():
        if re.search(pattern, said):
            return amount
    return 0.0 if re.search(r"\bnothing\b|\bno donation\b|\bzero\b|\b0 dollars\b", said) else None


def donation(dialogue, **_):
    """The rule: the share of the payment that the user gives in the end; nothing where it was never asked to decide."""
    ends = [messages[-1] for messages in dialogue]
    return [(given(end["content"]) or 0.0) / 2 if end["role"] == "user" and STOP in end["content"] else 0.0 for end in ends]


class Say(TrainerCallback):
    """What a step was like, as a line of JSON."""

    def on_log(self, args, state, control, logs=None, **_):
        kept = ("reward", "loss", "collapse_aware/", "eval_reward")
        told = {name: value for name, value in (logs or {}).items() if name.startswith(kept)}
        line = {name: value for name, value in told.items() if not name.endswith("_missing")}
        print(json.dumps({"step": state.global_step, "time": time.time(), **line}), flush=True)


def options(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gateway", required=True, help="root of the gateway, e.g. http://127.0.0.1:8420")
    parser.add_argument("--steps", type=int, default=10, help="updates of the policy")
    parser.add_argument("--admin-key", default=os.environ.get("CA_ADMIN_KEY"), help="default: CA_ADMIN_KEY")
    parser.add_argument("--api-key", default=os.environ.get("CA_CLIENT_KEY"), help="default: CA_CLIENT_KEY")
    parser.add_argument("--run", help="name of the run; made up where there is none")
    parser.add_argument("--prompts", type=int, default=16, help="scenarios of users")
    parser.add_argument("--groups", type=int, default=4, help="GRPO groups of a step, over all ranks")
    parser.add_argument("--rollouts", type=int, default=4, help="rollouts of a group")
    parser.add_argument("--epoch-steps", type=int, default=1, help="steps of an epoch at the gateway")
    parser.add_argument("--turns", type=int, default=5, help="turns of a user in a dialogue at most")
    parser.add_argument("--learning-rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hold-seconds", type=float, default=3600.0, help="how long to wait at the gate")
    parser.add_argument("--fail-closed", action="store_true", help="stop where the gateway is down")
    parser.add_argument("--evaluate", action="store_true", help="play the held-out panel whenever the gateway wants it")
    parser.add_argument("--probe-while-held", action="store_true", help="play probes of the population at red")
    parser.add_argument("--save", help="folder for the trained policy")
    parser.add_argument("--load", help="folder of a policy that was saved, to go on with")
    parser.add_argument("--serve", type=int, metavar="PORT", help="answer as the policy there, also after training")
    parser.add_argument("--write-scenarios", metavar="FILE", help="write the contexts as JSON lines, for probes")
    return parser.parse_args(arguments)


def trainer_of(asked, output, *, kind=CollapseAwareGRPOTrainer, reward=donation, **own):
    torch.manual_seed(asked.seed)
    tokens = tokenizer()
    steering = Steering(
        asked.gateway,
        asked.admin_key,
        api_key=asked.api_key,
        run=asked.run,
        policy="trl-dialogue",
        failopen=not asked.fail_closed,
        hold_seconds=asked.hold_seconds,
        epoch_steps=asked.epoch_steps,
        **own,
    )
    rows = prompts(asked.prompts)
    # A turn is a sentence; all other words the policy only hears.
    sayable = set(tokens.convert_tokens_to_ids(SENTENCES))
    ranks = int(os.environ.get("WORLD_SIZE", "1"))
    settings = trl.GRPOConfig(
        output_dir=output,
        max_steps=asked.steps,
        num_generations=asked.rollouts,
        per_device_train_batch_size=asked.groups * asked.rollouts // ranks,
        per_device_eval_batch_size=asked.prompts,
        num_generations_eval=1,
        max_completion_length=48 * asked.turns,
        generation_kwargs={"suppress_tokens": [at for at in range(len(tokens)) if at not in sayable]},
        learning_rate=asked.learning_rate,
        logging_steps=1,
        seed=asked.seed,
        report_to=[],
        use_cpu=True,
        bf16=False,
        disable_tqdm=True,
        save_strategy="no",
    )
    trainer = kind(
        model=policy(tokens, asked.load),
        reward_funcs=reward,
        args=settings,
        train_dataset=rows,
        eval_dataset=rows if asked.evaluate else None,
        processing_class=tokens,
        steering=steering,
        rollout_func=DialogueRollouts(steering, turns=asked.turns, turn_tokens=1),
        callbacks=[Say()],
        probe_while_held=asked.probe_while_held,
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def serving(trainer, port):
    """The policy as an endpoint, so that others can talk with it while training goes on or waits."""
    tokens = trainer.processing_class
    sayable = tokens.convert_tokens_to_ids(SENTENCES)
    server = PolicyServer(port, trainer.model, tokens, sayable, lambda messages: donation([messages])[0])
    trainer.add_callback(server)
    print(json.dumps({"serving": server.port}), flush=True)
    return server


def _users(asked):
    """Whoever serves is measured between rounds: a turn that is refused meanwhile waits as long as training does."""
    if asked.serve is None:
        return {}
    return {"users": GatewayUsers(asked.gateway, asked.api_key, held_seconds=asked.hold_seconds)}


def main():
    asked = options()
    datasets.disable_progress_bars()
    # The tokenizer has special tokens of its own, which transformers remarks on.
    transformers.logging.set_verbosity_error()
    with tempfile.TemporaryDirectory() as output:
        trainer = trainer_of(asked, output, **_users(asked))
        if asked.write_scenarios:
            prompts(asked.prompts).to_json(asked.write_scenarios)
        server = None if asked.serve is None else serving(trainer, asked.serve)
        trainer.train()
        if asked.save:
            trainer.save_model(asked.save)
        if trainer.accelerator.is_main_process:
            print(json.dumps({"run": trainer.steering.run, **trainer.steering.numbers()}), flush=True)
        if server is not None:
            server.join()


if __name__ == "__main__":
    main()
