import torch
from trl import GRPOTrainer


class WeightedGRPOTrainer(GRPOTrainer):
    """Scales each advantage, after normalisation in its group, by what the row that it started from says."""

    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        factors = [row["weight"] * row["gradient_scale"] for row in inputs]
        output["advantages"] = output["advantages"] * torch.tensor(factors).to(output["advantages"])
        return output
