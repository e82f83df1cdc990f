"""TRL exports through TRL itself: read_trl.py FILE... Prints what it made of the rows, and of a step on the first."""

import json
import sys
import tempfile

import datasets
import torch
from tiny import tokenizer
from transformers import Qwen2Config, Qwen2ForCausalLM
from trl import SFTConfig, SFTTrainer, apply_chat_template, is_conversational

datasets.disable_progress_bars()
tokens = tokenizer()


def prompt_of(row):
    return {"prompt": row["messages"][: row["prompt_messages"]]}


def load(path, cache):
    kind = "parquet" if path.endswith(".parquet") else "json"
    return datasets.load_dataset(kind, data_files=path, split="train", cache_dir=cache)


def read(rows):
    return {
        "conversational": [is_conversational(row) for row in rows],
        "rows": list(rows),
        "texts": [apply_chat_template({"messages": row["messages"]}, tokens)["text"] for row in rows],
        "prompts": [apply_chat_template(prompt_of(row), tokens)["prompt"] for row in rows],
    }


def train(rows, folder):
    """One step of SFT: the text that bears loss in each row, and the loss."""
    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=len(tokens),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
    settings = SFTConfig(
        output_dir=folder,
        assistant_only_loss=True,
        max_steps=1,
        per_device_train_batch_size=2,
        report_to=[],
        use_cpu=True,
        bf16=False,
        disable_tqdm=True,
        save_strategy="no",
    )
    trainer = SFTTrainer(
        model=Qwen2ForCausalLM(config), args=settings, train_dataset=rows, processing_class=tokens
    )
    learned = []
    for row in trainer.train_dataset:
        mask = [label != -100 for label in row["labels"]] if "labels" in row else row["assistant_masks"]
        learned.append(tokens.decode([token for token, mine in zip(row["input_ids"], mask) if mine]))
    return {"learned": learned, "loss": trainer.train().training_loss}


with tempfile.TemporaryDirectory() as folder:
    tables = [load(path, folder) for path in sys.argv[1:]]
    print(json.dumps({"files": [read(rows) for rows in tables], **train(tables[0], folder)}))
