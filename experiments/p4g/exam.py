"""The exam of one checkpoint on Persuasion for Good, through the gateway: python exam.py --checkpoint NAME

Every exam profile meets each member of the test panel, and a member of the seen panel, so often as the plan says. The
policy is whatever POLICY_URL serves. Sessions that came to nothing are ended without a reward, which is not a 0.
"""

import argparse
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

import donation
import profiles
from collapse_aware import CollapseAwareClient, GatewayError, session_headers
from collapse_aware.gateway_users import GatewayUsers
from collapse_aware.transport import Transport

#: Of the policy's server: seconds of one attempt, of a call with its retries, and retries.
PATIENCE = (120.0, 300.0, 2)
BATCH = 200


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gateway", required=True)
    parser.add_argument("--checkpoint", required=True, help="what the policy's weights are called on record")
    parser.add_argument("--contexts", type=int, default=420, help="exam profiles; the plan's unless you only try it")
    parser.add_argument("--trials", type=int, default=1)
    parser.add_argument("--turns", type=int, default=10, help="turns of the simulated user at most")
    parser.add_argument("--temperature", type=float, default=1.0, help="of the policy")
    parser.add_argument("--tokens", type=int, default=256, help="of one turn of the policy at most")
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--profiles", default=os.environ.get("P4G_PROFILES"))
    return parser.parse_args()


def main():
    asked = options()
    client = CollapseAwareClient(asked.gateway, os.environ["CA_ADMIN_KEY"], failopen=False)
    people = profiles.read(asked.profiles)
    # Which profiles are the exam's is the plan's: fewer of them are tried, and none of training.
    exam = profiles.split(people, 420 if len(people) > 420 else len(people) // 2)[1][: asked.contexts]
    test = sorted(one["id"] for one in client.population()["members"] if one["panel"] == "test")
    # Drawn as the population is, and never held: nobody trains on it.
    models = [*(f"panel/test/{name}" for name in test), "probe/population"]
    jobs = [(person, model, trial) for trial in range(asked.trials) for model in models for person in exam]
    users = GatewayUsers(asked.gateway, os.environ["CA_CLIENT_KEY"])
    policy = Transport(os.environ["POLICY_URL"], os.environ.get("POLICY_KEY", "any"), *PATIENCE)
    lock, waiting, done = threading.Lock(), [], {"played": 0, "failed": 0}

    def play(job):
        person, model, trial = job
        session = f"exam.{asked.checkpoint}.{model.replace('/', '.')}.{person}.{trial}"
        headers = session_headers(
            session,
            run="exam",
            task=person,
            policy="policy",
            checkpoint=asked.checkpoint,
        )
        try:
            turns = talk(asked, policy, users, model, headers, profiles.scenario(people[person]))
            row = {"session": session, "reward": donation.reward(turns), "outcome": donation.outcome(turns)}
        except GatewayError as error:
            print(f"{session}: {error}", file=sys.stderr)
            row = {"session": session, "reward": None, "termination": "infrastructure error"}
        with lock:
            waiting.append(row)
            done["played"] += 1
            done["failed"] += row["reward"] is None
            batch = waiting[:] if len(waiting) >= BATCH else []
            if batch:
                waiting.clear()
        if batch:
            client.rewards(batch)

    with ThreadPoolExecutor(asked.concurrency) as threads:
        list(threads.map(play, jobs))
    if waiting:
        client.rewards(waiting)
    print(f"exam of {asked.checkpoint}: {done['played']} dialogues, {done['failed']} of them without a reward")


def talk(asked, policy, users, model, headers, scenario):
    """The simulated user's turns of one dialogue."""
    said, turns = list(donation.OPENING), []
    for _ in range(asked.turns):
        body = {"model": "policy", "messages": said, "temperature": asked.temperature, "max_tokens": asked.tokens}
        answer, _headers = policy.reply("POST", "/v1/chat/completions", body, {})
        said.append({"role": "assistant", "content": answer["choices"][0]["message"]["content"] or "..."})
        # For the gateway the user is the assistant; the policy's instructions are its own.
        heard = [
            {"role": "user" if one["role"] == "assistant" else "assistant", "content": one["content"]} for one in said[1:]
        ]
        turn = users.reply([{"role": "system", "content": scenario}, *heard], model, headers)
        turns.append(turn.text)
        said.append({"role": "user", "content": turn.text})
        if donation.STOP in turn.text:
            break
    return turns


if __name__ == "__main__":
    main()
