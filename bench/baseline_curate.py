"""The recipe of bench/curate.mjs as one would write it with pandas and numpy, over the same columns.

Ranks, weights and gradient scales are whole-column operations; the whole-group draw is a loop, as it is in any
language. The same rules throughout, so that results can be compared: weights to 1e-9, batches row by row.
Reads and writes raw little-endian arrays in FOLDER; prints one JSON object with the seconds of every stage.

usage: baseline_curate.py FOLDER
"""

import json
import resource
import sys
import time

import numpy as np
import pandas as pd

folder = sys.argv[1]
with open(f"{folder}/settings.json", encoding="utf-8") as text:
    S = json.load(text)
K, SIZE, SEED, (LOW, HIGH) = S["k"], S["size"], S["seed"], S["bounds"]


def column(name, kind):
    return np.fromfile(f"{folder}/{name}.bin", dtype=kind)


def ranks(frame):
    own = frame["distance"].groupby(frame["content"], sort=False).min()
    place = own.rank(method="average") - 1
    known = own.notna().sum()
    rho = (1 - place / (known - 1)).fillna(0.5) if known > 1 else own * 0 + 0.5
    return rho.to_numpy()[frame["content"].to_numpy()]


def boosts(frame):
    inside = frame[(frame["mode"] >= 0) & (frame["outside"] == 0)]
    counts = inside[["content", "mode"]].drop_duplicates()["mode"].value_counts()
    share = counts.reindex(range(K), fill_value=0).to_numpy() / counts.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        boost = np.where(share > 0, np.maximum(LOW, np.array(S["reference"]) / share), 1)
    mode = frame["mode"].to_numpy()
    own = np.where(mode >= 0, boost[np.maximum(mode, 0)], 1)
    return np.where(frame["outside"] == 1, np.minimum(1, own), own)


def exponent(logs, share):
    """Illinois: false position that halves the end that stays."""

    def excess(kappa):
        w = np.exp(kappa * logs)
        return np.log(w.sum() ** 2 / (w @ w) / len(w)) - np.log(share)

    if excess(1.0) >= 0:
        return 1.0
    a, b, fa, fb, side = 0.0, 1.0, -np.log(share), excess(1.0), 0
    for _ in range(100):
        c = (a * fb - b * fa) / (fb - fa)
        f = excess(c)
        if abs(f) < 1e-15 or abs(b - a) < 1e-14:
            return c
        if f < 0:
            b, fb = c, f
            fa, side = (fa / 2 if side == 1 else fa), 1
        else:
            a, fa = c, f
            fb, side = (fb / 2 if side == -1 else fb), -1
    return c


def bounded(w):
    ordered = np.sort(w)
    before = np.concatenate(([0.0], np.cumsum(ordered)))
    n = len(w)
    a, b = np.log(LOW / ordered[-1]), np.log(HIGH / ordered[0])
    for _ in range(100):
        s = np.exp((a + b) / 2)
        i, j = np.searchsorted(ordered, LOW / s, "left"), np.searchsorted(ordered, HIGH / s, "right")
        total = i * LOW + s * (before[j] - before[i]) + (n - j) * HIGH
        a, b = (np.log(s), b) if total < n else (a, np.log(s))
    s = (n - i * LOW - (n - j) * HIGH) / (before[j] - before[i]) if j > i else s
    return np.clip(s * w, LOW, HIGH)


def weigh(frame, rho):
    logs = -S["alpha"] * np.where(frame["outside"] == 1, 1, rho) + np.log(boosts(frame))
    if S["concentration"]:
        logs -= np.log(np.maximum(np.array(S["mci"]), 1 / K))[frame["simulator"].to_numpy()]
    logs -= logs.max()
    return bounded(np.exp(exponent(logs, S["ess"]) * logs))


def murmur(units, seed):
    """32-bit MurmurHash3 of each row of UTF-16 code units, an even number of them, two to a block."""
    u = np.uint32
    h = np.full(len(units), seed & 0xFFFFFFFF, dtype=u)
    for i in range(0, units.shape[1], 2):
        k = (units[:, i].astype(u) | (units[:, i + 1].astype(u) << u(16))) * u(0xCC9E2D51)
        h ^= ((k << u(15)) | (k >> u(17))) * u(0x1B873593)
        h = ((h << u(13)) | (h >> u(19))) * u(5) + u(0xE6546B64)
    h ^= u(2 * units.shape[1])
    h = (h ^ (h >> u(16))) * u(0x85EBCA6B)
    h = (h ^ (h >> u(13))) * u(0xC2B2AE35)
    return h ^ (h >> u(16))


def hash_order(words, seed):
    digits = (words[:, :, None] >> np.arange(28, -1, -4, dtype=np.uint32)) & np.uint32(15)
    units = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)[digits].reshape(len(words), 32)
    high, low = murmur(units, seed) >> 5, murmur(units, seed ^ 0x9E3779B9) >> 6
    return (high.astype(np.float64) * 0x4000000 + low) / 0x20000000000000


def plan(frame, words):
    """Whole groups: an equal share a mode up to what exists, each stratum spread evenly over the batches."""
    n = len(frame)
    lone = frame["group"].to_numpy() < 0
    name = np.where(lone, np.arange(n) + n, frame["group"].to_numpy())
    group = pd.factorize(name)[0]
    first = pd.Series(np.arange(n)).groupby(group).min().to_numpy()
    key = hash_order(words[first], SEED)
    count = len(first)
    sizes = np.bincount(group, minlength=count)
    mode = frame["mode"].to_numpy()
    rows = pd.Series(np.arange(n)).groupby(group)
    second = np.full(count, -1)
    followers = np.flatnonzero(rows.cumcount() == 1)
    second[group[followers]] = followers
    # Groups that begin with one and the same content: by what else they hold.
    order = np.lexsort((second, mode[first], sizes, key))

    moded = mode >= 0
    exists = np.bincount(mode[moded], minlength=K)
    wanted = -(-exists.sum() // (exists > 0).sum())
    place = np.empty(count, dtype=np.int64)
    place[order] = np.arange(count)
    cells = pd.DataFrame({"group": group[moded], "mode": mode[moded]}).value_counts(sort=False)
    cells = cells.rename("rows").reset_index()
    cells["place"] = place[cells["group"]]
    cells["exists"] = exists[cells["mode"]]
    best = cells.sort_values(["group", "rows", "exists", "mode"], ascending=[True, False, True, True])
    best = best.drop_duplicates("group")
    stratum = np.full(count, -1)
    stratum[best["group"]] = best["mode"]

    queues = [[] for _ in range(K)]
    held = [[] for _ in range(count)]
    for g, cell, rows in cells.sort_values("place")[["group", "mode", "rows"]].itertuples(index=False):
        queues[cell].append(g)
        held[g].append((cell, rows))
    need = np.minimum(wanted, exists).tolist()
    got, at = [0] * K, [0] * K
    seen, drawn = bytearray(count), np.zeros(count, dtype=bool)
    while True:
        cell = min(
            (c for c in range(K) if at[c] < len(queues[c]) and need[c] > got[c]), key=got.__getitem__, default=-1
        )
        if cell < 0:
            break
        g = queues[cell][at[cell]]
        at[cell] += 1
        if seen[g]:
            continue
        seen[g] = 1
        useful = sum(min(rows, max(0, need[c] - got[c])) for c, rows in held[g])
        if 2 * useful < sum(rows for _, rows in held[g]):
            continue
        drawn[g] = True
        for c, rows in held[g]:
            got[c] += rows
    rate = sum(got) / exists.sum()
    free = order[stratum[order] == -1]
    quota, taken = rate * sizes[free].sum(), 0
    for g in free:
        if taken + sizes[g] / 2 <= quota:
            drawn[g] = True
            taken += sizes[g]

    kept = pd.DataFrame({"group": order[drawn[order]]})
    kept["stratum"] = stratum[kept["group"]]
    by = kept.groupby("stratum")["group"]
    kept["at"] = (by.cumcount() + key[kept["group"]]) / by.transform("size")
    batch, filled = 0, 0
    batch_of = np.full(count, -1, dtype=np.int32)
    for g in kept.sort_values("at", kind="stable")["group"]:
        rows = sizes[g]
        if filled > 0 and filled + rows - SIZE > SIZE - filled:
            batch, filled = batch + 1, 0
        batch_of[g] = batch
        filled += rows
        if filled >= SIZE:
            batch, filled = batch + 1, 0
    return batch_of[group]


def gradient():
    mci = np.maximum(np.array(S["mci"]), 1 / K)
    return np.minimum(1, (np.median(mci) / mci) ** S["beta"])


words = column("hashes", "<u4").reshape(-1, 4)
frame = pd.DataFrame(
    {
        "simulator": column("simulator", "<i4"),
        "group": column("group", "<i4"),
        "mode": column("mode", "<i2").astype(np.int64),
        "outside": column("outside", "u1"),
        "distance": column("distance", "<f4"),
    }
)
best, cpu = {}, np.inf
for turn in range(2):
    seconds = {}
    start, began = time.perf_counter(), time.process_time()

    def lap(stage):
        global start
        now = time.perf_counter()
        seconds[stage], start = now - start, now

    frame["content"] = np.concatenate(([0], np.cumsum((words[1:] != words[:-1]).any(axis=1))))
    weight = weigh(frame, ranks(frame))
    lap("weights")
    batch_of = plan(frame, words)
    lap("batches")
    scale = gradient()
    lap("gradient")
    cpu = min(cpu, time.process_time() - began)
    if not best or sum(seconds.values()) < sum(best.values()):
        best = seconds
weight.astype("<f8").tofile(f"{folder}/python-weight.bin")
batch_of.astype("<i4").tofile(f"{folder}/python-batch.bin")
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"seconds": best, "cpu": cpu, "scale": scale.tolist(), "peakKiB": peak}))
