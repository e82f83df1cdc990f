# What benchmarks that are trained with verl share. Sourced after arm.sh.

# train_verl EPISODE_ROWS: trains with the settings in verl.yaml; checkpoints to $out/checkpoints
train_verl() {
  export STAGE_ZERO_GATEWAY=$gateway STAGE_ZERO_ROWS=$1 STAGE_ZERO_LOOPS="$here/loops.yaml"
  export STAGE_ZERO_CHECKPOINTS="$out/checkpoints" STAGE_ZERO_WEIGH=0
  export PYTHONPATH="$root/experiments/trainers:$root/python${PYTHONPATH:+:$PYTHONPATH}"
  if [ "$arm" = collapse-aware ]; then
    export STAGE_ZERO_WEIGH=1 STAGE_ZERO_HOLD_SECONDS=${STAGE_ZERO_HOLD_SECONDS:-86400}
    # The loop plays by chat alone: an agent of the benchmark's own kind answers it (README.md).
    evolve_arguments=(--agent "$LOOP_AGENT_URL" --scorer "$LOOP_SCORER_URL" --probes "$LOOP_PROBES" --lanes 64
      --rounds 6 --steps 10 --rollouts 10)
  fi
  start_beside
  # shellcheck disable=SC2086
  "$python" "$root/experiments/trainers/train_verl.py" --config-path "$here" --config-name verl \
    data.seed="$STAGE_ZERO_SEED" ${TRAIN_OPTIONS:-}
  stop_beside
}

# The folder of a checkpoint as a model that can be served; verl keeps shards.
merged_checkpoint() {
  local step="$out/checkpoints/global_step_${1#step-}/actor"
  "$python" -m verl.model_merger merge --backend fsdp --local_dir "$step" --target_dir "$step/merged" >&2
  echo "$step/merged"
}
