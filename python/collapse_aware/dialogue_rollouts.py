"""A ``rollout_func`` for TRL: the policy talks with simulated users behind a gateway, turn by turn, a batch at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from .dialogue import Dialogue, task_of
from .gateway_users import UserTurn
from .ranks import of_all_ranks
from .session_headers import session_headers
from .steering import Steering
from .transport import GatewayError

Message = Dict[str, Any]
#: What a simulated user ends its last turn with, as the gateway knows them without settings.
STOPS = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")
#: Said for a policy that says nothing: a chat has no empty turn.
SILENCE = "..."


class DialogueRollouts:
    """Plays one dialogue for each prompt. A prompt is a list of messages; after its last one speaks whoever is next:
    the simulated user after a turn of ``assistant``, else the policy.

    turns: of the simulated user at most. turn_tokens: of the policy in one turn (default: what is left).
    stops: a user's turn that holds one of them is its last. concurrency: user turns asked for at once, on each rank.
    scenario: the column of the data set with what the simulated user is told; task: the one with the task's name.
    """

    def __init__(
        self,
        steering: Steering,
        *,
        turns: int = 8,
        turn_tokens: Optional[int] = None,
        stops: Sequence[str] = STOPS,
        concurrency: int = 32,
        scenario: str = "scenario",
        task: str = "task",
    ) -> None:
        self._steering = steering
        self._turns, self._turn_tokens = turns, turn_tokens
        self._stops = tuple(stops)
        self._columns = (scenario, task)
        self._threads = ThreadPoolExecutor(concurrency, thread_name_prefix="collapse-aware")

    def __call__(self, prompts: List[List[Message]], trainer: Any) -> Dict[str, List[Any]]:
        """As TRL wants it, with a mask of the policy's tokens. Reward functions get ``dialogue`` (the messages, the
        prompt's among them), ``session``, and ``rollout``: its facts (dialogue.py)."""
        training = trainer.model.training
        rows = trainer.rows_of(prompts)
        model = self._steering.model if training else self._steering.panel
        size = trainer.num_generations if training else trainer.num_generations_eval
        dialogues = self.begin(trainer, rows, trainer.batch_name(), model, size)
        self.play(trainer, dialogues)
        return self.columns(trainer, dialogues)

    def begin(self, trainer: Any, rows: Sequence[Dict[str, Any]], batch: str, model: str, size: int) -> List[Dialogue]:
        """A dialogue for each row. batch: a name that no other batch of the run has. size: rollouts of a group."""
        first = trainer.accelerator.process_index * len(rows)
        scenario_of, task_in = self._columns
        dialogues = []
        for at, row in enumerate(rows):
            # What a group is, TRL says by position, over all ranks; from here on it goes by the session's id.
            group, member = divmod(first + at, size)
            scenario = row.get(scenario_of)
            dialogues.append(
                Dialogue(
                    session=f"{batch}.{group}.{member}",
                    group=f"{batch}.{group}",
                    task=task_of(row["prompt"], scenario, row.get(task_in)),
                    scenario=None if scenario is None else str(scenario),
                    messages=[dict(message) for message in row["prompt"]],
                    prompt_ids=_prompt_ids(trainer, row["prompt"]),
                    model=model,
                    epoch=self._steering.epoch,
                )
            )
        return dialogues

    def play(self, trainer: Any, dialogues: Sequence[Dialogue]) -> None:
        self._ask(trainer, [one for one in dialogues if not one.policy_speaks])
        for turn in range(self._turns):
            speaking = [one for one in dialogues if one.open and self._room(trainer, one) > 0]
            for one in dialogues:
                if one.open and one not in speaking:
                    one.end("length limit")
            # Every rank generates as often as the others: with sharded weights it takes all of them.
            if not any(of_all_ranks([bool(speaking)])):
                break
            self._speak(trainer, speaking, dialogues[0])
            self._ask(trainer, speaking)
        for one in dialogues:
            if one.open:
                one.end("turn limit")
        unreached = of_all_ranks([one.failed for one in dialogues if one.unreached])
        if unreached and not self._steering.failopen:
            raise GatewayError(f"training was to stop without its gateway, and does: {unreached[0]}")

    def columns(self, trainer: Any, dialogues: Sequence[Dialogue]) -> Dict[str, List[Any]]:
        end = trainer.processing_class.eos_token_id
        for one in dialogues:
            if not one.completion_ids:
                one.add([end], 0)
            if one.failed is not None:
                one.mask = [0] * len(one.mask)
        logprobs = [one.logprobs for one in dialogues]
        return {
            "prompt_ids": [one.prompt_ids for one in dialogues],
            "completion_ids": [one.completion_ids for one in dialogues],
            "logprobs": None
            if any(own is None for own in logprobs)
            else [own + [0.0] * (len(one.completion_ids) - len(own)) for own, one in zip(logprobs, dialogues)],
            "env_mask": [one.mask for one in dialogues],
            "session": [one.session for one in dialogues],
            "dialogue": [one.messages for one in dialogues],
            "rollout": [one.facts() for one in dialogues],
        }

    def close(self) -> None:
        self._threads.shutdown()

    def _room(self, trainer: Any, dialogue: Dialogue) -> int:
        return trainer.max_completion_length - len(dialogue.completion_ids)

    def _speak(self, trainer: Any, speaking: Sequence[Dialogue], any_other: Dialogue) -> None:
        asked = speaking or [any_other]
        most = max(max(self._room(trainer, one) for one in asked), 1)
        limit = most if self._turn_tokens is None else min(most, self._turn_tokens)
        generated, logprobs = _generate(trainer, [one.prompt_ids + one.completion_ids for one in asked], limit)
        end = trainer.processing_class.eos_token_id
        for at, one in enumerate(speaking):
            ids = generated[at][: min(limit, self._room(trainer, one))]
            text = trainer.processing_class.decode(ids, skip_special_tokens=True).strip()
            one.said(ids, text or SILENCE, None if logprobs is None else logprobs[at][: len(ids)])
            if ids[-1] != end and self._room(trainer, one) > 0:
                # Cut off in mid-turn: the end is not the policy's, and nothing is learnt from it.
                one.add([end], 0)

    def _ask(self, trainer: Any, dialogues: Sequence[Dialogue]) -> None:
        """The users' turns, all at once."""
        for one, (turn, error) in zip(dialogues, self._threads.map(self._turn, dialogues)):
            if turn is None:
                one.fail(str(error), error is not None and error.status is None)
                continue
            one.session = turn.session or one.session
            one.simulator = turn.simulator or one.simulator
            one.served += not turn.stood_in
            one.stood_in = one.stood_in or turn.stood_in
            one.messages.append({"role": "user", "content": turn.text})
            if any(stop in turn.text for stop in self._stops):
                one.end("user stop")
                continue
            heard = _reply_ids(trainer, turn.text)
            # A reply that leaves the policy no room to answer is nothing to condition on.
            if len(heard) < self._room(trainer, one):
                one.add(heard, 0)
            else:
                one.end("length limit")

    def _turn(self, dialogue: Dialogue) -> Tuple[Optional[UserTurn], Optional[GatewayError]]:
        steering = self._steering
        headers = session_headers(
            dialogue.session,
            group=dialogue.group,
            epoch=dialogue.epoch,
            run=steering.run,
            task=dialogue.task,
            policy=steering.policy,
            checkpoint=steering.checkpoint,
        )
        try:
            return steering.users.reply(dialogue.for_user(), dialogue.model, headers, dialogue.hold), None
        except GatewayError as error:
            return None, error


def _template(trainer: Any, messages: List[Message], policy_next: bool) -> List[int]:
    ids = trainer.processing_class.apply_chat_template(
        messages,
        add_generation_prompt=policy_next,
        tokenize=True,
        return_dict=False,
        chat_template=trainer.chat_template,
        **trainer.chat_template_kwargs,
    )
    return list(ids)


def _up_to_end(trainer: Any, ids: List[int]) -> List[int]:
    """Without what a template puts behind the end of a turn: a policy that generates stops there."""
    end = trainer.processing_class.eos_token_id
    return ids[: len(ids) - ids[::-1].index(end)] if end in ids else ids


def _prompt_ids(trainer: Any, prompt: List[Message]) -> List[int]:
    policy_next = prompt[-1]["role"] != "assistant"
    ids = _template(trainer, prompt, policy_next)
    return ids if policy_next else _up_to_end(trainer, ids)


def _reply_ids(trainer: Any, text: str) -> List[int]:
    """Tokens from the end of the policy's turn to the beginning of its next, the user's turn between them.

    Made beside a dialogue of two words, so that what the policy generated is never tokenised anew.
    """
    before = [{"role": "user", "content": "."}, {"role": "assistant", "content": "."}]
    prefix = _up_to_end(trainer, _template(trainer, before, False))
    whole = _template(trainer, [*before, {"role": "user", "content": text}], True)
    if whole[: len(prefix)] != prefix:
        raise ValueError("the chat template changes earlier turns when one is added: no dialogue can be trained on with it")
    return whole[len(prefix) :]


def _generate(
    trainer: Any, ids: List[List[int]], limit: int
) -> Tuple[List[List[int]], Optional[List[List[float]]]]:
    with _turn_limit(trainer, limit):
        return trainer._generate_single_turn(ids, None, {})


@contextmanager
def _turn_limit(trainer: Any, limit: int) -> Iterator[None]:
    holder, name = (
        (trainer.vllm_generation, "max_completion_length")
        if trainer.use_vllm
        else (trainer.generation_config, "max_new_tokens")
    )
    before = getattr(holder, name)
    setattr(holder, name, limit)
    try:
        yield
    finally:
        setattr(holder, name, before)
