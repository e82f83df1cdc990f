"""A tokenizer whose tokens are bytes, with a chat template that TRL ships: nothing is downloaded."""

from pathlib import Path

import trl
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast


def tokenizer():
    special = ["<|im_start|>", "<|im_end|>", "<|endoftext|>"]
    symbols = special + sorted(pre_tokenizers.ByteLevel.alphabet())
    model = Tokenizer(models.BPE(vocab={symbol: at for at, symbol in enumerate(symbols)}, merges=[]))
    model.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    model.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=model, eos_token="<|im_end|>", pad_token="<|endoftext|>", additional_special_tokens=special
    )
    template = Path(trl.__file__).parent / "chat_templates" / "qwen2_5_training.jinja"
    made.chat_template = template.read_text(encoding="utf-8")
    return made
