#!/usr/bin/env bash
# CooperBench, one arm and seed: bash run.sh ARM
. "$(dirname "${BASH_SOURCE[0]}")/../arm.sh"
. "$root/experiments/verl.sh"

exam() { "$python" "$here/exam.py" --gateway "$gateway" --checkpoint "$1" ${EXAM_OPTIONS:-}; }

start_gateway

serve_policy "$POLICY_MODEL"
exam base
stop_policy

if [ "$arm" != base ]; then
  PYTHONPATH="$root/experiments/trainers" "$python" "$root/experiments/trainers/cooperbench_rows.py" "$out/rows"
  train_verl "$out/rows"
  best=$(chosen_checkpoint)
  echo "the selection panel chose $best"
  serve_policy "$(merged_checkpoint "$best")"
  exam "$best"
  stop_policy
fi

export_sessions
