"""What a co-trained simulator is rewarded for (Yu et al. 2026): users that the policy neither always nor never satisfies."""

import math

#: Variance of binary rewards that are half ones; and how far from it a group may be before its reward is small.
WANTED, WIDTH = 0.25, 0.02


def curriculum(rewards):
    """exp(-(s2 - 0.25)^2 / 0.02), s2 the population variance of the policy's rewards in the group; None below two."""
    known = [float(reward) for reward in rewards if reward is not None]
    if len(known) < 2:
        return None
    mean = sum(known) / len(known)
    variance = sum((reward - mean) ** 2 for reward in known) / len(known)
    return math.exp(-((variance - WANTED) ** 2) / WIDTH)


def advantages(sessions):
    """Session id -> advantage: its group's reward minus the mean over groups. Sessions of groups that tell nothing are left out.

    sessions: native records with `id`, `group`, `reward`.
    """
    groups = {}
    for session in sessions:
        if session["group"] is not None:
            groups.setdefault(session["group"], []).append(session)
    rewards = {name: curriculum([one["reward"] for one in members]) for name, members in groups.items()}
    known = {name: reward for name, reward in rewards.items() if reward is not None}
    if not known:
        return {}
    mean = sum(known.values()) / len(known)
    return {one["id"]: known[name] - mean for name in known for one in groups[name]}
