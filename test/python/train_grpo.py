"""A step of GRPO from the prompts of a TRL export: train_grpo.py FILE. Prints advantages before and after weights.

The first rollouts get signals as a curation would give them; the last one counts as dropped.
"""

import json
import sys
import tempfile

import datasets
import torch
from tiny import tokenizer
from transformers import Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer
from weighted_grpo import WeightedGRPOTrainer

datasets.disable_progress_bars()
tokens = tokenizer()
plain = []
seen = []
scored = GRPOTrainer._generate_and_score_completions


def spy(self, inputs):
    output = scored(self, inputs)
    plain.extend(output["advantages"].tolist())
    return output


class Watched(WeightedGRPOTrainer):
    def signals_of(self, inputs, output):
        own = [{"weight": 1.0 + at, "gradientScale": 0.5} for at in range(len(inputs) - 1)]
        return [*own, None]

    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        signals = self.signals_of(inputs, output)
        for row, own, advantage in zip(inputs, signals, output["advantages"].tolist()):
            seen.append({"id": row["id"], "signals": own, "advantage": advantage})
        return output


def reward(completions, **columns):
    return [float(at % 2) for at in range(len(completions))]


GRPOTrainer._generate_and_score_completions = spy
torch.manual_seed(0)
model = Qwen2ForCausalLM(
    Qwen2Config(
        vocab_size=len(tokens),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
)
with tempfile.TemporaryDirectory() as folder:
    rows = datasets.load_dataset("parquet", data_files=sys.argv[1], split="train", cache_dir=folder)
    rows = rows.map(lambda row: {"prompt": row["messages"][: row["prompt_messages"]]}, remove_columns="messages")
    settings = GRPOConfig(
        output_dir=folder,
        max_steps=1,
        num_generations=2,
        per_device_train_batch_size=4,
        max_completion_length=4,
        report_to=[],
        use_cpu=True,
        bf16=False,
        disable_tqdm=True,
        save_strategy="no",
    )
    Watched(
        model=model, reward_funcs=reward, args=settings, train_dataset=rows, processing_class=tokens
    ).train()
print(json.dumps({"plain": plain, "weighted": seen}))
