"""The training loop of bench/lab.mjs as one would write it with numpy: the same world, network and update.

All episodes of an update go through a turn at once, so that every operation is one on whole arrays. Reads sizes and
one batch (raw little-endian arrays) from FOLDER; prints one JSON object with seconds, CPU seconds and the outcome of
training with numpy's own random numbers, and the gradient of that batch.

usage: baseline_lab.py FOLDER
"""

import json
import sys
import time

import numpy as np

folder = sys.argv[1]
with open(f"{folder}/settings.json", encoding="utf-8") as text:
    S = json.load(text)
KINDS, ACTS, TURNS, HIDDEN = S["kinds"], S["acts"], S["turns"], S["hidden"]
GROUPS, SIZE = S["groups"], S["group"]
INPUTS, EPISODES = 2 * KINDS + ACTS, GROUPS * SIZE
LOW, HIGH, KL = 0.2, 0.28, 0.005
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
CUTS = np.cumsum([HIDDEN * INPUTS, HIDDEN, ACTS * HIDDEN])


def layers(flat):
    w1, b1, w2, b2 = np.split(flat, CUTS)
    return w1.reshape(HIDDEN, INPUTS), b1, w2.reshape(ACTS, HIDDEN), b2


def forward(flat, seen):
    w1, b1, w2, b2 = layers(flat)
    hidden = np.tanh(seen @ w1.T + b1)
    logits = hidden @ w2.T + b2
    logits -= logits.max(axis=1, keepdims=True)
    return hidden, logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))


def gradient(flat, reference, seen, act, old, advantage):
    """Of -surrogate + KL k3, all episodes being of one length; also the loss, the entropy and the k3."""
    hidden, log = forward(flat, seen)
    rows = np.arange(len(act))
    own, other = log[rows, act], forward(reference, seen)[1][rows, act]
    ratio = np.exp(own - old)
    value = np.minimum(ratio * advantage, np.clip(ratio, 1 - LOW, 1 + HIGH) * advantage)
    held = np.where(advantage > 0, ratio > 1 + HIGH, ratio < 1 - LOW) & (advantage != 0)
    k3 = np.expm1(other - own) - (other - own)
    slope = (np.where(held, 0, -ratio * advantage) - KL * np.expm1(other - own)) / len(act)
    prob = np.exp(log)
    d_logits = -slope[:, None] * prob
    d_logits[rows, act] += slope
    _, _, w2, _ = layers(flat)
    d_hidden = (d_logits @ w2) * (1 - hidden**2)
    parts = (d_hidden.T @ seen, d_hidden.sum(axis=0), d_logits.T @ hidden, d_logits.sum(axis=0))
    grad = np.concatenate([part.ravel() for part in parts])
    return grad, -value.mean() + KL * k3.mean(), -(prob * log).sum(axis=1).mean(), k3.mean()


def rollout(flat, random):
    kind = np.repeat(random.integers(KINDS, size=GROUPS), SIZE)
    trust = np.zeros(EPISODES)
    cues = np.zeros((EPISODES, KINDS))
    seen = np.zeros((EPISODES, INPUTS))
    every = np.arange(EPISODES)
    observation = np.empty((EPISODES, TURNS, INPUTS))
    acts = np.empty((EPISODES, TURNS), dtype=np.int64)
    logs = np.empty((EPISODES, TURNS))
    for turn in range(TURNS):
        clear = random.random(EPISODES) < S["clear"]
        cue = np.where(clear, kind, random.integers(KINDS, size=EPISODES))
        cues[every, cue] += 1
        seen[:, :KINDS] = 0
        seen[every, cue] = 1
        seen[:, KINDS : 2 * KINDS] = cues / (turn + 1)
        _, log = forward(flat, seen)
        drawn = (random.random((EPISODES, 1)) >= np.cumsum(np.exp(log), axis=1)).sum(axis=1)
        act = np.minimum(drawn, ACTS - 1)
        observation[:, turn], acts[:, turn], logs[:, turn] = seen, act, log[every, act]
        seen[:, 2 * KINDS :] = 0
        seen[every, 2 * KINDS + act] = 1
        gain = np.where(act >= KINDS, S["talk"], np.where(act == kind, S["appeal"], S["wrong"]))
        trust = np.clip(trust + gain, 0, 1)
    reward = (random.random(EPISODES) < trust).astype(float)
    return observation.reshape(-1, INPUTS), acts.ravel(), logs.ravel(), reward


def train():
    random = np.random.default_rng(S["seed"])
    flat = np.concatenate(
        [
            random.standard_normal(HIDDEN * INPUTS) / np.sqrt(INPUTS),
            np.zeros(HIDDEN),
            0.01 * random.standard_normal(ACTS * HIDDEN) / np.sqrt(HIDDEN),
            np.zeros(ACTS),
        ]
    )
    reference = flat.copy()
    mean, square = np.zeros_like(flat), np.zeros_like(flat)
    rewards = []
    for update in range(1, S["updates"] + 1):
        seen, act, old, reward = rollout(flat, random)
        rewards.append(reward.mean())
        grouped = reward.reshape(GROUPS, SIZE)
        centred = grouped - grouped.mean(axis=1, keepdims=True)
        advantage = (centred / (grouped.std(axis=1, keepdims=True) + 1e-6)).ravel()
        grad, _, entropy, k3 = gradient(flat, reference, seen, act, old, np.repeat(advantage, TURNS))
        mean = BETA1 * mean + (1 - BETA1) * grad
        square = BETA2 * square + (1 - BETA2) * grad * grad
        root = np.sqrt(square / (1 - BETA2**update)) + EPSILON
        flat = flat - S["rate"] * mean / (1 - BETA1**update) / root
    return {"start": rewards[0], "end": np.mean(rewards[-25:]), "entropy": entropy, "kl": k3}


def column(name, kind=np.float64):
    return np.fromfile(f"{folder}/{name}.bin", dtype=kind)


start, cpu = time.perf_counter(), time.process_time()
result = train()
result.update(seconds=time.perf_counter() - start, cpu=time.process_time() - cpu)
grad, loss, _, _ = gradient(
    column("policy"),
    column("reference"),
    column("observation").reshape(-1, INPUTS),
    column("act", np.int32),
    column("logProb"),
    np.repeat(column("advantage"), TURNS),
)
result.update(gradient=grad.tolist(), loss=loss, python=sys.version.split()[0], numpy=np.__version__)
print(json.dumps(result))
