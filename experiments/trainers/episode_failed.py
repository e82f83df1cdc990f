"""An episode without a reward."""


class EpisodeFailed(Exception):
    """It came to nothing through no fault of the policy: it has no reward, which is not a reward of 0."""
