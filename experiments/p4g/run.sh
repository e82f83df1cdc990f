#!/usr/bin/env bash
# Persuasion for Good, one arm and seed: bash run.sh ARM
. "$(dirname "${BASH_SOURCE[0]}")/../arm.sh"

model=${POLICY_MODEL:-Qwen/Qwen3-4B-Instruct-2507}
exam() { "$python" "$here/exam.py" --gateway "$gateway" --checkpoint "$1" ${EXAM_OPTIONS:-}; }

start_gateway

serve_policy "$model"
exam base
stop_policy

if [ "$arm" != base ]; then
  weigh=()
  if [ "$arm" = collapse-aware ]; then weigh=(--weigh); fi
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
