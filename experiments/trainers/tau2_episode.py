"""One episode of tau2-bench 1.0.1 with the policy and the simulated user behind chat APIs."""

import os

from episode_failed import EpisodeFailed
from tau2.data_model.simulation import TextRunConfig
from tau2.runner import get_tasks, run_single_task

#: What ended through no fault of the policy.
NOT_THE_POLICY = {"infrastructure_error", "user_error", "unexpected_error", "timeout"}


def episode(task, *, policy_url, user_url, user_model, user_key, headers):
    domain = os.environ["TAU2_DOMAIN"]
    config = TextRunConfig(
        domain=domain,
        llm_agent="openai/policy",
        llm_args_agent={"api_base": policy_url, "api_key": "any"},
        llm_user=f"openai/{user_model}",
        llm_args_user={"api_base": user_url, "api_key": user_key, "extra_headers": headers},
    )
    run = run_single_task(config, get_tasks(domain, task_ids=[task])[0])
    ended = str(getattr(run.termination_reason, "value", run.termination_reason))
    if ended in NOT_THE_POLICY or run.reward_info is None:
        raise EpisodeFailed(ended)
    return run.reward_info.reward
