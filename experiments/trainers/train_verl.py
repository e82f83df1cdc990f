"""verl's trainer with the gateway's weights: python train_verl.py --config-path FOLDER --config-name verl"""

import hydra
import ray
from verl.trainer import main_ppo
from verl.trainer.ppo.utils import need_critic, need_reference_policy
from verl.utils.config import validate_config


class Runner(main_ppo.TaskRunnerV1.__ray_actor_class__):
    """Runs in a process of its own, where the registry is verl's until the import."""

    def run(self, config):
        import weighted_trainer  # noqa: F401

        return super().run(config)


@hydra.main(config_path=None, config_name=None, version_base=None)
def main(config):
    validate_config(
        config=config, use_reference_policy=need_reference_policy(config), use_critic=need_critic(config)
    )
    main_ppo.run_ppo(config, task_runner_class=ray.remote(num_cpus=1)(Runner))


if __name__ == "__main__":
    main()
