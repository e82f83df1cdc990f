"""A second implementation of some figures, written from docs/metrics.md with the standard library alone.

Reads conformance/cases/*.json and prints answers for the tasks it knows:

    python3 conformance/example_check.py > answers.json
    node conformance/check.mjs --answers answers.json --partial

It shows how small an implementation of the format can be, and it is a check of the expected numbers themselves.
"""

import json
import math
import pathlib
import sys
from collections import Counter, defaultdict

LEAST_UNITS = 8


def records(table):
    return [dict(zip(table["fields"], row)) for row in table["rows"]]


def grouped(rows, field):
    groups = defaultdict(list)
    for row in rows:
        groups[row[field]].append(row)
    return dict(sorted(groups.items()))


def t_quantile(p, df):
    """Student's t by Simpson's rule on the density, and bisection."""
    log_scale = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(df * math.pi) / 2

    def density(x):
        return math.exp(log_scale - (df + 1) / 2 * math.log1p(x * x / df))

    def above_half(x, steps=400):
        width = x / steps
        inner = sum((4 if i % 2 else 2) * density(i * width) for i in range(1, steps))
        return (density(0) + inner + density(x)) * width / 3

    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 0.5 + above_half(middle) < p else (low, middle)
    return (low + high) / 2


# MCI: pairs of rows from different units.


def coincidence(a, b):
    """Share of agreeing pairs among pairs of rows of a and b from different units; None without such a pair."""
    cells = [Counter(row["cell"] for row in rows) for rows in (a, b)]
    units = [Counter(row["unit"] for row in rows) for rows in (a, b)]
    places = [Counter((row["unit"], row["cell"]) for row in rows) for rows in (a, b)]
    agree = sum(count * cells[1][cell] for cell, count in cells[0].items())
    agree -= sum(count * places[1][place] for place, count in places[0].items())
    pairs = len(a) * len(b) - sum(count * units[1][unit] for unit, count in units[0].items())
    return agree / pairs if pairs > 0 else None


def mci(rows):
    return coincidence(rows, rows)


def jackknife(rows, statistic):
    """Standard error and degrees of freedom; units in ascending order, round robin over at most 50 groups."""
    units = sorted({row["unit"] for row in rows})
    groups = min(50, len(units))
    group_of = {unit: at % groups for at, unit in enumerate(units)}
    values = [statistic([row for row in rows if group_of[row["unit"]] != group]) for group in range(groups)]
    if None in values:
        return None, groups - 1
    centre = math.fsum(values) / groups
    variance = (groups - 1) / groups * math.fsum((value - centre) ** 2 for value in values)
    return math.sqrt(variance), groups - 1


def concentration(case):
    k = case["k"]
    simulators = grouped(records(case["table"]), "simulator")
    answers = {}
    for name, rows in simulators.items():
        units = len({row["unit"] for row in rows})
        value = mci(rows)
        low = high = None
        if value is not None and units >= LEAST_UNITS:
            se, df = jackknife(rows, mci)
            if se is not None:
                reach = t_quantile(0.975, df) * se
                low, high = value - reach, value + reach
                if value > 0:  # then the interval is one of the logarithm
                    low, high = (value * math.exp(side / value) for side in (-reach, reach))
                answers[f"mci.{name}.se"] = se
        modes = [None if x is None else 1 / min(1, max(x, 1 / k)) for x in (value, high, low)]
        answers.update({f"mci.{name}.value": value, f"mci.{name}.low": low, f"mci.{name}.high": high})
        for part, x in zip(("value", "low", "high"), modes):
            answers[f"effectiveModes.{name}.{part}"] = x
    for a, b in case.get("differences", []):
        answers[f"difference.{a}.{b}.value"] = mci(simulators[a]) - mci(simulators[b])
    return answers


# SCD pooled2.


def collapse(case):
    k = case["k"]
    simulators = list(grouped(records(case["table"]), "simulator").values())
    weights = case.get("weights", "equal")
    if weights == "equal":
        weights = [1] * len(simulators)
    elif weights == "traffic":
        weights = [len(rows) for rows in simulators]
    weights = [weight / sum(weights) for weight in weights]
    members = [(rows, weight) for rows, weight in zip(simulators, weights) if weight > 0]
    paths = ("pooled2.value", "pooled2Within.value", "pooled2Alike.value", "concentration.value")
    c = [[coincidence(a, b) for b, _ in members] for a, _ in members]
    if not members or k < 2 or any(None in row for row in c):
        return dict.fromkeys(paths)
    mixture = sum(v * w * c[i][j] for i, (_, v) in enumerate(members) for j, (_, w) in enumerate(members))
    within = sum(w * c[i][i] for i, (_, w) in enumerate(members))
    both = mixture > 0 and within > 0
    values = (
        1 + math.log(mixture) / math.log(k) if both else None,
        -math.log(within) if within > 0 else None,
        math.log(within) - math.log(mixture) if both else None,
        mixture,
    )
    return dict(zip(paths, values))


# BDI.


def equal_size(samples):
    """g0 and r: of all r the one with the largest g0 r, the smaller r among equals."""
    sizes = [Counter(row["unit"] for row in rows).values() for rows in samples]
    best = None
    for r in sorted({size for sample in sizes for size in sample}):
        g0 = min(sum(size >= r for size in sample) // 2 for sample in sizes)
        if g0 >= 2 and (best is None or g0 * r > best[0] * best[1]):
            best = (g0, r)
    return best


def covered(rows, cell, g0, r):
    """Chance that g0 drawn units, r rows of each, show the mode in two of them or more."""
    units = [unit for unit in grouped(rows, "unit").values() if len(unit) >= r]
    law = [1.0]  # of the number of units that would show it
    for unit in units:
        m = sum(row["cell"] == cell and not row["outside"] for row in unit)
        q = 1 - math.comb(len(unit) - m, r) / math.comb(len(unit), r)
        law = [(law[v] * (1 - q) if v < len(law) else 0) + (law[v - 1] * q if v else 0) for v in range(len(law) + 1)]
    everything = math.comb(len(units), g0)
    return sum(
        chance * (1 - sum(math.comb(v, d) * math.comb(len(units) - v, g0 - d) for d in (0, 1)) / everything)
        for v, chance in enumerate(law)
    )


def diversity(case):
    parts = grouped(records(case["table"]), "of")
    data, ceiling, people = (parts.get(name, []) for name in ("data", "ceiling", "people"))
    size = equal_size([data, ceiling])
    reference = Counter(row["cell"] for row in people if not row["outside"])
    total = sum(reference.values())
    inside = [row for row in data if not row["outside"]]
    answers = {
        "size.contexts": size and size[0],
        "size.rows": size and size[1],
        "support.value": len({row["cell"] for row in inside}) / case["k"] if data else None,
        "realism.value": len(inside) / len(data) if data else None,
    }
    paths = ("mass.data.value", "mass.ceiling.value", "headline.value", "difference.value")
    if size is None or total == 0:
        return {**answers, **dict.fromkeys(paths)}
    own, best = (
        sum(n / total * covered(rows, cell, *size) for cell, n in reference.items()) for rows in (data, ceiling)
    )
    return {**answers, **dict(zip(paths, (own, best, own / best, own - best)))}


# PSOD.


def gaps(rows, length):
    """Per context that every simulator of both panels played: mean over training simulators less that over held-out."""
    panels = {name: grouped(part, "simulator") for name, part in grouped(rows, "panel").items()}
    if len(panels) < 2:
        return {}
    if set(panels["training"]) & set(panels["held-out"]):
        raise ValueError("CA_PANEL_OVERLAP")
    means = {}
    for name, simulators in panels.items():
        for simulator, own in simulators.items():
            for unit, played in grouped(own, "unit").items():
                means[name, simulator, unit] = sum(row["reward"] for row in played) / len(played)
    found = {}
    for unit in sorted({row["unit"] for row in rows}):
        sides = [[means.get((name, s, unit)) for s in panels[name]] for name in ("training", "held-out")]
        if None not in sides[0] + sides[1]:
            found[unit] = (sum(sides[0]) / len(sides[0]) - sum(sides[1]) / len(sides[1])) / length
    return found


def overfitting(case):
    low, high = case["range"]
    try:
        checkpoints = grouped(records(case["table"]), "checkpoint")
        steps = {step: gaps(rows, high - low) for step, rows in checkpoints.items()}
    except ValueError as error:
        return {"error": str(error)}
    panels = {step: {(row["panel"], row["simulator"]) for row in rows} for step, rows in checkpoints.items()}
    answers = {}
    for step, found in steps.items():
        base = steps.get(case["base"], {}) if panels.get(case["base"]) == panels[step] else {}
        rises = [gap - base[unit] for unit, gap in found.items() if unit in base]
        answers[f"psod.{step}.value"] = sum(found.values()) / len(found) if found else None
        answers[f"rise.{step}.value"] = sum(rises) / len(rises) if rises else None
    return answers


TASKS = {"concentration": concentration, "collapse": collapse, "diversity": diversity, "overfitting": overfitting}


def main():
    folder = pathlib.Path(__file__).parent / "cases"
    answers = {}
    for path in sorted(folder.glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            if case["task"] in TASKS:
                answers[case["id"]] = TASKS[case["task"]](case["input"])
    json.dump(answers, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
