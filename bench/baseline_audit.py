"""The audit's pipeline as one would write it in Python: json, scikit-learn, numpy.

Same sizes as the product: a bottom-k sample of 6,000 episodes, TF-IDF of uni- and bigrams (8,000 terms) and a
truncated SVD (96 dimensions) of user turns, 64 episode modes and 32 turn classes, each codebook with 3 seeds x 4
starts; a second pass places every episode. Fewer interaction features (12 against the product's list) and plain
regular expressions: where the two differ, Python does less. Figures: MCI, SCD2, pooled SCD and spread with
jackknife over contexts and 1,000 bootstrap draws. Prints one JSON object with the seconds of every stage.

usage: baseline_audit.py FILE
"""

import hashlib
import heapq
import json
import re
import resource
import sys
import time

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import normalize

SAMPLE, TEXTS, TERMS, RANK, MODES, CLASSES, BATCH = 6_000, 40_000, 8_000, 96, 64, 32, 2_048
SEEDS, STARTS, DRAWS, GROUPS = 3, 4, 1_000, 50
WORD = re.compile(r"[a-z']+")
POLITE = re.compile(r"\b(please|thank|thanks|sorry|appreciate)\b")
PUSH = re.compile(r"\b(no|not|never|but|still|refuse|manager|supervisor)\b")
CLARIFY = re.compile(r"\b(what do you mean|explain|clarify|understand)\b")
HEDGE = re.compile(r"\b(maybe|perhaps|guess|suppose|depends)\b")
CORRECT = re.compile(r"\b(actually|i meant|my mistake|correct that)\b")


def content_hash(row):
    digest = hashlib.sha256()
    digest.update((row.get("scenario") or "").lower().encode())
    for turn in row["turns"]:
        digest.update(turn["role"].encode())
        digest.update((turn.get("text") or "").encode())
        for call in turn.get("toolCalls") or ():
            digest.update(call["name"].encode())
            digest.update(json.dumps(call["arguments"]).encode())
    return digest.hexdigest()


def rows_of(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def said(row, role):
    return [t["text"] for t in row["turns"] if t["role"] == role and t.get("text")]


def features(row):
    user = said(row, "user")
    lower = [text.lower() for text in user]
    words = [WORD.findall(text) for text in lower]
    n = max(1, len(user))
    lengths = [len(w) for w in words] or [0]
    sets = [set(w) for w in words]
    drift = [len(a & b) / max(1, len(a | b)) for a, b in zip(sets, sets[1:])]
    return [
        len(user),
        np.log1p(np.mean(lengths)),
        sum("?" in text for text in lower) / n,
        lengths[0] / max(1, sum(lengths)),
        sum(POLITE.search(text) is not None for text in lower) / n,
        sum(PUSH.search(text) is not None for text in lower) / n,
        sum(CLARIFY.search(text) is not None for text in lower) / n,
        sum(HEDGE.search(text) is not None for text in lower) / n,
        sum(CORRECT.search(text) is not None for text in lower) / n,
        1 - float(np.mean(drift)) if drift else 0.5,
        sum(text[:1].isupper() for text in user) / n,
        sum(text.rstrip()[-1:] in ".!?" for text in user) / n,
    ]


def whitening(x):
    mean = x.mean(0)
    values, vectors = np.linalg.eigh(np.cov(x - mean, rowvar=False))
    keep = values > 0.01 * values.max()
    return mean, vectors[:, keep] / np.sqrt(values[keep])


def codebook(x, k):
    fits = [KMeans(min(k, len(x)), n_init=STARTS, max_iter=100, random_state=seed).fit(x) for seed in range(SEEDS)]
    stability = [adjusted_rand_score(a.labels_, b.labels_) for a, b in zip(fits, fits[1:])]
    return fits[0], float(np.mean(stability))


class Space:
    def __init__(self, sample):
        turns = [text for row in sample for text in said(row, "user")][:TEXTS]
        self.tfidf = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), max_features=TERMS, min_df=2)
        matrix = self.tfidf.fit_transform(turns)
        self.svd = TruncatedSVD(min(RANK, matrix.shape[1] - 1), random_state=0).fit(matrix)
        semantic, interaction, user, agent = self.describe(sample)
        self.semantic, self.interaction = whitening(semantic), whitening(interaction)
        z, inter = self.blocks(semantic, interaction)
        self.episode, _ = codebook(z, MODES)
        self.inter, _ = codebook(inter, MODES)
        self.style, _ = codebook(z[:, : self.semantic[1].shape[1]], MODES)
        self.turn, _ = codebook(user[:20_000], CLASSES)
        self.policy, _ = codebook(agent[:20_000], CLASSES)

    def embed(self, texts):
        return normalize(self.svd.transform(self.tfidf.transform(texts))).astype(np.float32)

    def describe(self, rows):
        user = [said(row, "user") for row in rows]
        agent = [said(row, "agent") for row in rows]
        u = self.embed([text for texts in user for text in texts])
        a = self.embed([text for texts in agent for text in texts])
        starts = np.cumsum([0] + [len(texts) for texts in user])
        semantic = np.stack([u[i:j].mean(0) for i, j in zip(starts, starts[1:])])
        return semantic, np.array([features(row) for row in rows]), u, a

    def blocks(self, semantic, interaction):
        s = (semantic - self.semantic[0]) @ self.semantic[1]
        i = (interaction - self.interaction[0]) @ self.interaction[1]
        return np.hstack([s, i]).astype(np.float32), i.astype(np.float32)

    def place(self, rows):
        semantic, interaction, u, a = self.describe(rows)
        z, inter = self.blocks(semantic, interaction)
        self.turn.predict(u)
        self.policy.predict(a)
        self.style.predict(z[:, : self.semantic[1].shape[1]])
        self.inter.predict(inter)
        return self.episode.predict(z), z


class Tables:
    """Counts context x simulator x mode, and what pairs inside one context take away; every figure is linear in them."""

    def __init__(self, counts):
        self.counts = counts
        self.shape = counts.shape
        sizes = counts.sum(2)
        self.flat = counts.reshape(len(counts), -1)
        self.same = np.einsum("cik,cjk->cij", counts, counts).reshape(len(counts), -1)
        self.pairs = np.einsum("ci,cj->cij", sizes, sizes).reshape(len(counts), -1)

    def figures(self, weights):
        """One row of figures per row of context weights: MCI of each simulator, SCD2, pooled SCD."""
        _, n, k = self.shape
        totals = (weights @ self.flat).reshape(-1, n, k)
        sizes = totals.sum(2)
        shared = totals @ totals.transpose(0, 2, 1) - (weights @ self.same).reshape(-1, n, n)
        pairs = sizes[:, :, None] * sizes[:, None, :] - (weights @ self.pairs).reshape(-1, n, n)
        coincidence = shared / pairs
        p = (totals / sizes[:, :, None]).mean(1)
        entropy = -(p * np.log(np.where(p > 0, p, 1))).sum(1)
        return np.column_stack(
            [
                np.diagonal(coincidence, axis1=1, axis2=2),
                1 + np.log(coincidence.mean((1, 2))) / np.log(k),
                1 - entropy / np.log(k),
            ]
        )

    def intervals(self, rng):
        """Values, delete-a-group jackknife errors and percentile bootstrap over contexts."""
        contexts = len(self.counts)
        groups = rng.integers(GROUPS, size=contexts)
        left = self.figures(np.array([groups != g for g in range(GROUPS)], dtype=float))
        drawn = self.figures(rng.multinomial(contexts, np.full(contexts, 1 / contexts), size=DRAWS).astype(float))
        values = self.figures(np.ones((1, contexts)))[0]
        return values, left.std(0) * np.sqrt(GROUPS - 1), np.quantile(drawn, [0.025, 0.975], axis=0)


def main(path):
    clock, stages = time.perf_counter(), {}

    def lap(name):
        nonlocal clock
        now = time.perf_counter()
        stages[name] = round(now - clock, 2)
        clock = now

    heap, count = [], 0
    for row in rows_of(path):
        count += 1
        key = -int(content_hash(row)[:15], 16)
        if len(heap) < SAMPLE:
            heapq.heappush(heap, (key, count, row))
        elif key > heap[0][0]:
            heapq.heapreplace(heap, (key, count, row))
    lap("read")
    space = Space([row for _, _, row in heap])
    del heap
    lap("fit")
    cells, simulators, contexts, sums = [], [], [], {}
    batch = []

    def flush():
        cell, z = space.place(batch)
        cells.extend(cell.tolist())
        for row, vector in zip(batch, z):
            simulators.append(row["simulator"]["id"])
            contexts.append(row["context"])
            known = sums.setdefault(row["simulator"]["id"], [0, 0.0, 0.0])
            known[0] += 1
            known[1] = known[1] + vector
            known[2] += float(vector @ vector)
        batch.clear()

    for row in rows_of(path):
        content_hash(row)
        batch.append(row)
        if len(batch) == BATCH:
            flush()
    if batch:
        flush()
    lap("place")
    names = sorted(set(simulators))
    places = {name: i for i, name in enumerate(sorted(set(contexts)))}
    index = {name: i for i, name in enumerate(names)}
    counts = np.zeros((len(places), len(names), MODES))
    np.add.at(counts, ([places[c] for c in contexts], [index[s] for s in simulators], cells), 1)
    values, errors, bounds = Tables(counts).intervals(np.random.default_rng(0))
    spread = {n: s[2] / s[0] - float((s[1] / s[0]) @ (s[1] / s[0])) for n, s in sums.items()}
    report = {"values": values.tolist(), "se": errors.tolist(), "bounds": bounds.tolist(), "spread": spread}
    lap("measure")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"rows": count, "seconds": stages, "peakKiB": peak, "report": report}))


if __name__ == "__main__":
    main(sys.argv[1])
