import torch
from trl import GRPOTrainer


class WeightedGRPOTrainer(GRPOTrainer):
    """Scales the advantage of each rollout, after normalisation in its group, by what its own curation says of it."""

    def signals_of(self, inputs, output):
        """The signals of each rollout of `output`, in its order; None for one that curation dropped. Yours to write."""
        raise NotImplementedError

    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        if not self.model.training:
            return output
        signals = self.signals_of(inputs, output)
        weights = [own["weight"] for own in signals if own is not None]
        mean = sum(weights) / len(weights) if weights else 1.0
        factors = [0.0 if own is None else own["weight"] / mean * own["gradientScale"] for own in signals]
        output["advantages"] = output["advantages"] * torch.tensor(factors).to(output["advantages"])
        return output
