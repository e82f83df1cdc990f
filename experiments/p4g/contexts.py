"""Contexts of the loop's own dialogues: python contexts.py PROBES EXAMS --probes N --exams N

Profiles of training, none of the exam's: the first so many by a hash of their ids for probes, the next for the loop's
exams. JSON lines as `collapse-aware evolve` reads them.
"""

import argparse
import json
import os
from pathlib import Path

import donation
import profiles


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("probe_file")
    parser.add_argument("exam_file")
    parser.add_argument("--probes", type=int, required=True)
    parser.add_argument("--exams", type=int, required=True)
    parser.add_argument("--exam", type=int, default=420, help="profiles of the plan's exam, which nothing else touches")
    parser.add_argument("--profiles", default=os.environ.get("P4G_PROFILES"))
    asked = parser.parse_args()
    people = profiles.read(asked.profiles)
    training, _exam = profiles.split(people, asked.exam)
    if len(training) < asked.probes + asked.exams:
        raise SystemExit(f"{len(training)} profiles are left for training, {asked.probes} + {asked.exams} are asked for")
    write(asked.probe_file, people, training[: asked.probes])
    write(asked.exam_file, people, training[asked.probes : asked.probes + asked.exams])


def write(path, people, persons):
    rows = ({"task": one, "scenario": profiles.scenario(people[one]), "prompt": donation.OPENING} for one in persons)
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
