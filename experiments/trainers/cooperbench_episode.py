"""One episode of CooperBench: the policy and a partner of the population, each behind a chat API of its own.

Written for CooperBench 0.0.14 (commit 44b4a7a), from its sources; needs its data set, containers and Redis to run.
`cooperbench run` gives both agents one model, so the place where it starts an agent is taken over here.
"""

import json
import os
import tempfile
import threading
import uuid
from pathlib import Path

import yaml
from cooperbench.eval import evaluate
from cooperbench.runner import coop
from cooperbench.runner.tasks import discover_tasks
from episode_failed import EpisodeFailed

DATA = Path(os.environ["COOPERBENCH_DIR"]) / "dataset"
BACKEND = os.environ.get("COOPERBENCH_BACKEND", "docker")
REDIS = os.environ.get("COOPERBENCH_REDIS", "redis://localhost:6379")

_spawn = coop._spawn_agent
#: Run -> agent -> model name and configuration file.
_sides = {}
_lock = threading.Lock()


def _spawn_by_side(**given):
    with _lock:
        side = _sides.get(given["run_name"], {}).get(given["agent_id"])
    return _spawn(**(given if side is None else {**given, **side}))


coop._spawn_agent = _spawn_by_side


def pairs(subset=None):
    """Names of the feature pairs of a subset; of all where there is none."""
    return [_name(one) for one in discover_tasks(subset=subset, dataset_dir=DATA)]


def _name(one):
    return f"{one['repo']}/{one['task_id']}/{'-'.join(str(feature) for feature in sorted(one['features']))}"


def episode(task, *, policy_url, user_url, user_model, user_key, headers):
    """1 where the merged code passes the tests of both features, else 0."""
    repo, task_id, features = task.split("/")
    which = {"repo": repo, "task_id": int(task_id), "features": [int(one) for one in features.split("-")]}
    run = f"stage-zero-{uuid.uuid4().hex}"
    with tempfile.TemporaryDirectory() as folder:
        places = {"dataset_dir": DATA, "logs_dir": folder}
        policy = {"api_base": policy_url, "api_key": "any", "drop_params": True}
        partner = {"api_base": user_url, "api_key": user_key, "drop_params": True, "extra_headers": headers}
        with _lock:
            _sides[run] = {
                "agent1": _side(folder, "policy", "openai/policy", policy),
                "agent2": _side(folder, "partner", f"openai/{user_model}", partner),
            }
        try:
            done = coop.execute_coop(
                which["repo"], which["task_id"], which["features"], run,
                redis_url=REDIS, quiet=True, backend=BACKEND, **places,
            )
            if any(one.get("status") == "Error" for one in (done or {}).get("agents", {}).values()):
                raise EpisodeFailed("an agent ended with an error")
            evaluate(run, repo=which["repo"], task_id=which["task_id"], features=which["features"],
                     concurrency=1, backend=BACKEND, **places)
            said = [json.loads(path.read_text()) for path in Path(folder).rglob("eval.json")]
        finally:
            with _lock:
                _sides.pop(run, None)
    if not said or said[0].get("error"):
        raise EpisodeFailed("the tests could not be run")
    return 1.0 if said[0]["both_passed"] else 0.0


def _side(folder, name, model, kwargs):
    path = Path(folder) / f"{name}.yaml"
    # A summary in the place of the history could not be followed, neither by the trainer nor by the gateway.
    path.write_text(yaml.safe_dump({"model": {"model_kwargs": kwargs}, "agent": {"compaction_enabled": False}}))
    return {"model_name": model, "agent_config": str(path)}
