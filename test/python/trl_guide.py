"""Runs the first Python block of docs/trl.md: trl_guide.py GATEWAY. A tiny model stands in for the one that it names,
turns are short, and the CPU is enough. Prints one JSON object."""

import json
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "../../python")]

import datasets
from tiny import tokenizer
from transformers import Qwen2Config, Qwen2ForCausalLM

CPU = "use_cpu=True, bf16=False, report_to=[], save_strategy='no', disable_tqdm=True, "

if __name__ == "__main__":
    datasets.disable_progress_bars()
    page = (HERE / "../../docs/trl.md").read_text(encoding="utf-8")
    block = re.search(r"^```python\n(.*?)^```$", page, re.M | re.S).group(1)
    with tempfile.TemporaryDirectory() as folder:
        tokens = tokenizer()
        tokens.save_pretrained(folder)
        sizes = dict.fromkeys(["hidden_size", "intermediate_size"], 16)
        heads = dict.fromkeys(["num_hidden_layers", "num_attention_heads", "num_key_value_heads"], 1)
        Qwen2ForCausalLM(Qwen2Config(vocab_size=len(tokens), **sizes, **heads)).save_pretrained(folder)
        swaps = {
            "http://127.0.0.1:8420": sys.argv[1],
            "Qwen/Qwen3-0.6B": folder,
            'output_dir="seller", ': f'output_dir="{folder}/out", {CPU}',
            "turn_tokens=120": "turn_tokens=6",
        }
        for shown, run in swaps.items():
            assert shown in block, shown
            block = block.replace(shown, run)
        names = {"__name__": "guide"}
        exec(compile(block, "docs/trl.md", "exec"), names)
        trainer = names["trainer"]
        print(json.dumps({"steps": trainer.state.global_step, "numbers": names["steering"].numbers()}))
