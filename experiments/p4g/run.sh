#!/usr/bin/env bash
# Persuasion for Good, one arm and seed: bash run.sh ARM
. "$(dirname "${BASH_SOURCE[0]}")/../arm.sh"

model=${POLICY_MODEL:-Qwen/Qwen3-4B-Instruct-2507}
# What the loop is told: contexts of training alone, the rule of the reward, and the policy as it is at each of its looks.
prepare_evolve() {
  local scorer=${STAGE_ZERO_SCORER_PORT:-$((port + 2))}
  "$python" "$here/contexts.py" "$out/probes.jsonl" "$out/loop-exams.jsonl" ${CONTEXT_OPTIONS:---probes 100 --exams 24}
  "$python" "$here/scorer.py" "$scorer" >>"$out/scorer.log" 2>&1 &
  scorer_pid=$!
  until_up "http://127.0.0.1:$scorer/" "$scorer_pid" "the scorer"
  start_desk "$model"
  evolve_arguments=(--agent "$desk" --agent-earlier '{checkpoint}' --agent-tokens 256 --turns 10 --lanes 64
    --scorer "http://127.0.0.1:$scorer/" --probes "$out/probes.jsonl" --exams "$out/loop-exams.jsonl"
    --reference "$P4G_PEOPLE" --bars people --rounds 6 --steps 10 --rollouts 10)
}

exam() { "$python" "$here/exam.py" --gateway "$gateway" --checkpoint "$1" ${EXAM_OPTIONS:-}; }

start_gateway

serve_policy "$model"
exam base
stop_policy

if [ "$arm" != base ]; then
  weigh=()
  if [ "$arm" = collapse-aware ]; then
    weigh=(--weigh --save-epochs --hold-seconds 86400)
    prepare_evolve
  fi
  start_beside
  ${STAGE_ZERO_LAUNCH:-accelerate launch} "$here/train.py" --gateway "$gateway" --model "$model" \
    --output "$out/checkpoints" --seed "$STAGE_ZERO_SEED" ${weigh[@]+"${weigh[@]}"} ${TRAIN_OPTIONS:-}
  stop_beside

  best=$(chosen_checkpoint)
  echo "the selection panel chose $best"
  serve_policy "$out/checkpoints/checkpoint-${best#step-}"
  exam "$best"
  stop_policy
fi

export_sessions
