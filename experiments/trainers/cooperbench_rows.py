"""Rows for verl of CooperBench's pairs outside the exam: python cooperbench_rows.py FOLDER"""

import sys
from pathlib import Path

import pandas
from cooperbench_episode import pairs

#: Pairs that the selection panel is met with.
SELECTION = 64


def row(task, panel=None):
    facts = {"task": task, **({"panel": panel} if panel else {})}
    prompt = [{"role": "user", "content": task}]
    return {"data_source": "cooperbench", "prompt": prompt, "agent_name": "stage_zero_episode", "extra_info": facts}


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    exam = set(pairs("lite"))
    rest = [name for name in pairs() if name not in exam]
    chosen = rest[:: max(1, len(rest) // SELECTION)][:SELECTION]
    pandas.DataFrame([row(name) for name in rest]).to_parquet(folder / "train.parquet")
    pandas.DataFrame([row(name, "panel/selection") for name in chosen]).to_parquet(folder / "val.parquet")
    print(f"{len(rest)} pairs for training, {len(exam)} left for the exam")


if __name__ == "__main__":
    main()
