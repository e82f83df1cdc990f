"""Rows for verl of tau2-bench's training tasks: python tau2_rows.py DOMAIN FOLDER

The prompt is a placeholder: tau2-bench writes the real one, at the first turn. `val.parquet` holds the same tasks with
the selection panel, so that checkpoints are chosen on contexts that the exam does not use.
"""

import sys
from pathlib import Path

import pandas
from tau2.runner import get_tasks


def row(task, panel=None):
    facts = {"task": task.id, **({"panel": panel} if panel else {})}
    prompt = [{"role": "user", "content": task.id}]
    return {"data_source": "tau2", "prompt": prompt, "agent_name": "stage_zero_episode", "extra_info": facts}


def main():
    domain, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    tasks = get_tasks(domain, task_split_name="train")
    pandas.DataFrame([row(task) for task in tasks]).to_parquet(folder / "train.parquet")
    pandas.DataFrame([row(task, "panel/selection") for task in tasks]).to_parquet(folder / "val.parquet")
    print(f"{len(tasks)} tasks in {folder}")


if __name__ == "__main__":
    main()
