"""The exam of one checkpoint on CooperBench: python exam.py --gateway URL --checkpoint NAME

Every pair of the subset `lite` with each member of the test panel, and with whoever the population draws.
"""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "python"), str(root / "experiments/trainers")]

from cooperbench_episode import episode, pairs
from collapse_aware import CollapseAwareClient, session_headers
from episode_failed import EpisodeFailed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gateway", required=True)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--trials", type=int, default=2)
    parser.add_argument("--concurrency", type=int, default=8)
    asked = parser.parse_args()
    client = CollapseAwareClient(asked.gateway, os.environ["CA_ADMIN_KEY"], failopen=False)
    test = sorted(one["id"] for one in client.population()["members"] if one["panel"] == "test")
    models = [*(f"panel/test/{name}" for name in test), "probe/population"]
    jobs = [(task, model, trial) for trial in range(asked.trials) for model in models for task in pairs("lite")]

    def play(job):
        task, model, trial = job
        session = f"exam.{asked.checkpoint}.{model}.{task}.{trial}".replace("/", ".")
        headers = session_headers(session, run="exam", task=task, policy="policy", checkpoint=asked.checkpoint)
        row = {"session": session}
        try:
            row["reward"] = episode(
                task,
                policy_url=os.environ["POLICY_URL"],
                user_url=f"{asked.gateway}/v1",
                user_model=model,
                user_key=os.environ["CA_CLIENT_KEY"],
                headers=headers,
            )
        except EpisodeFailed as error:
            row |= {"reward": None, "termination": f"infrastructure error: {error}"[:300]}
        client.rewards([row])
        return row["reward"]

    with ThreadPoolExecutor(asked.concurrency) as threads:
        rewards = list(threads.map(play, jobs))
    print(f"exam of {asked.checkpoint}: {len(rewards)} episodes, {rewards.count(None)} of them without a reward")


if __name__ == "__main__":
    main()
