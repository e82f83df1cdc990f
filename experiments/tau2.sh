# One arm of tau2-bench. Sourced after arm.sh, by the run.sh of each domain.
. "$root/experiments/verl.sh"

domain=${benchmark#tau2-}
export TAU2_DOMAIN=$domain TAU2_DATA_DIR=${TAU2_DATA_DIR:-$TAU2_DIR/data}
trials=${EXAM_TRIALS:-10}
model=${POLICY_MODEL:-Qwen/Qwen3-4B-Instruct-2507}

# tau2_run USER_MODEL TRIALS CHECKPOINT: the test tasks, as tau2-bench plays them, and their rewards to the gateway
tau2_run() {
  local name="stage-zero-$benchmark-$arm-$STAGE_ZERO_SEED-$3-${1//\//-}"
  local user="{\"api_base\": \"$gateway/v1\", \"api_key\": \"$CA_CLIENT_KEY\", \"extra_headers\": {\"X-CA-Run\": \"exam\", \"X-CA-Policy\": \"policy\", \"X-CA-Checkpoint\": \"$3\"}}"
  tau2 run --domain "$domain" --task-split-name test --num-trials "$2" --max-concurrency "${EXAM_CONCURRENCY:-32}" \
    --agent-llm openai/policy --agent-llm-args "{\"api_base\": \"$POLICY_URL\", \"api_key\": \"any\", \"temperature\": 1.0}" \
    --user-llm "openai/$1" --user-llm-args "$user" --save-to "$name" ${EXAM_OPTIONS:-} </dev/null
  "$python" "$root/experiments/trainers/report_rewards.py" "$gateway" "$TAU2_DATA_DIR/simulations/$name/results.json"
}

# exam CHECKPOINT: each member of the test panel, then whoever the population draws, which is never held
exam() {
  local member
  for member in gpt-oss glm granite olmo seed kimi; do tau2_run "panel/test/$member" "$trials" "$1"; done
  tau2_run probe/population "$trials" "$1"
}

start_gateway

serve_policy "$model"
exam base
stop_policy

if [ "$arm" != base ]; then
  "$python" "$root/experiments/trainers/tau2_rows.py" "$domain" "$out/rows"
  train_verl "$out/rows"
  best=$(chosen_checkpoint)
  echo "the selection panel chose $best"
  serve_policy "$(merged_checkpoint "$best")"
  exam "$best"
  stop_policy
fi

export_sessions
