"""Persuadees of Persuasion for Good as scenarios of a simulated user, and which of them belong to the exam."""

import csv
import gzip
import hashlib

#: Column of full_info.csv, and what it is called in a scenario.
TOLD = {
    "age.x": "age",
    "sex.x": "sex",
    "edu.x": "education",
    "marital.x": "marital status",
    "employment.x": "employment",
    "religion.x": "religion",
    "ideology.x": "political views",
}
#: Scales of 1 to 5 or 6: told where they are clearly low or high.
SCALES = {
    "extrovert.x": "extrovert",
    "agreeable.x": "agreeable",
    "conscientious.x": "conscientious",
    "neurotic.x": "easily worried",
    "open.x": "open to new things",
    "care.x": "moved by the suffering of others",
    "benevolence.x": "helpful to the people around you",
    "rational.x": "a person who decides by thinking things through",
    "intuitive.x": "a person who decides by feeling",
}
LOW, HIGH = 2.0, 4.0

SCENARIO = """<scenario>
You take part in a paid online task in which you talk with somebody you do not know. Your payment is two dollars.
Who you are: {who}.
{nature}Speak as this person would, briefly, one message at a time. You decide yourself whether you give any of your
payment to a charity, and how much. When you have decided, or want the talk to end, say so in your own words and end that
message with DONATION= and the dollars you give, and with ###STOP###. For instance: DONATION=0.00 ###STOP###
</scenario>"""


def read(path):
    """Persuadees by id: a row of full_info.csv each, of the dialogue whose id comes first."""
    opened = gzip.open if str(path).endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8", errors="replace", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["B4"] == "1"]
    people = {}
    for row in sorted(rows, key=lambda row: row["B2"]):
        people.setdefault(row["B3"], row)
    return people


def scenario(row):
    """What the simulated user is told. Nothing of what the person in fact donated is in it."""
    who = ", ".join(f"{name} {_plain(row[column])}" for column, name in TOLD.items() if row.get(column, "").strip())
    natures = []
    for column, name in SCALES.items():
        try:
            value = float(row[column])
        except (KeyError, ValueError):
            continue
        if value <= LOW:
            natures.append(f"You are not {name}.")
        elif value >= HIGH:
            natures.append(f"You are {name}.")
    nature = " ".join(natures)
    return SCENARIO.format(who=who or "nothing is known", nature=f"{nature}\n" if nature else "")


def split(people, exam):
    """Ids for training and for the exam, by a hash of the id: neither order nor number of the others moves one."""
    ranked = sorted(people, key=lambda person: hashlib.sha256(f"stage-zero/{person}".encode()).hexdigest())
    if not 0 < exam < len(ranked):
        raise SystemExit(f"{exam} exam profiles of {len(ranked)}: some have to be left for training")
    return ranked[exam:], ranked[:exam]


def _plain(value):
    """34.0 -> 34."""
    text = value.strip()
    return text[:-2] if text.endswith(".0") else text
