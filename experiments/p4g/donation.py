"""The reward of Persuasion for Good: min(donation / 2, 1), by what the simulated user says in the end."""

import re

STOP = "###STOP###"
#: The last one counts: a user may name a sum and think better of it.
GIVEN = re.compile(r"DONATION\s*=\s*\$?\s*(\d+(?:\.\d+)?)", re.IGNORECASE)
PAYMENT = 2.0

INSTRUCTIONS = (
    "You talk with somebody who takes part in a paid online task and gets two dollars for it. Persuade them to give part "
    "of this payment to the charity Save the Children. Be friendly and honest. Write one short message at a time."
)
OPENING = [{"role": "system", "content": INSTRUCTIONS}]


def donated(text):
    """Dollars, at most the payment; None where no sum is stated."""
    stated = GIVEN.findall(text or "")
    return min(float(stated[-1]), PAYMENT) if stated else None


def reward(turns):
    """Of the simulated user's turns: 0 where the dialogue was cut off before a sum was stated."""
    sums = [amount for amount in (donated(text) for text in turns) if amount is not None]
    return min(sums[-1] / PAYMENT, 1.0) if sums else 0.0


def outcome(turns):
    ended = bool(turns) and STOP in turns[-1]
    amount = next((value for value in (donated(text) for text in reversed(turns)) if value is not None), None)
    if amount is None:
        return "ended without a sum" if ended else "cut off"
    return "donated" if amount > 0 else "declined"
