# What the run.sh of every benchmark shares: one arm, one seed, one gateway. Sourced with the arm as $1.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
benchmark=$(basename "$here")
arm=${1:?usage: bash run.sh ARM}
root=$(cd "$here/../.." && pwd)
python=${PYTHON:-python3}

if [ ! -f "$here/gateway/$arm.yaml" ]; then
  echo "\"$arm\" is no arm of $benchmark: $(cd "$here/gateway" && ls | sed 's/\.yaml$//' | tr '\n' ' ')" >&2
  exit 2
fi
# Names every variable that is missing, or a fault of the settings, before anything starts.
node "$root/experiments/run.mjs" "$benchmark" --for "$arm" >/dev/null

out="$STAGE_ZERO_RUNS/$benchmark/$arm/$STAGE_ZERO_SEED"
mkdir -p "$out"
port=${STAGE_ZERO_PORT:-$(sed -nE 's/^listen:.*port: ([0-9]+).*/\1/p' "$here/gateway/$arm.yaml")}
gateway="http://127.0.0.1:$port"
gateway_pid=
policy_pid=
evolve_pid=
simulator_pid=
desk_pid=
scorer_pid=

# The program itself, not a shell around it: it is ended by its process id.
command=(node "$root/dist/cli/main.js")

ask() { node "$root/experiments/ask.mjs" "$1"; }

end_of() {
  [ -n "$1" ] || return 0
  kill "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
}
trap 'end_of "$evolve_pid"; end_of "$desk_pid"; end_of "$scorer_pid"; end_of "$simulator_pid"; end_of "$policy_pid"; end_of "$gateway_pid"' EXIT

# until_up URL PID WHAT: waits until it answers
until_up() {
  for _ in $(seq "${STAGE_ZERO_PATIENCE:-1800}"); do
    if ask "$1" >/dev/null 2>&1; then return 0; fi
    if ! kill -0 "$2" 2>/dev/null; then
      echo "$3 ended before it served: see $out" >&2
      exit 3
    fi
    sleep 1
  done
  echo "$3 does not serve at $1" >&2
  exit 3
}

start_gateway() {
  "${command[@]}" gateway -c "$here/gateway/$arm.yaml" --port "$port" 2>>"$out/gateway.log" &
  gateway_pid=$!
  until_up "$gateway/readyz" "$gateway_pid" "the gateway of $arm"
}

# serve_policy MODEL: at POLICY_URL, until stop_policy
serve_policy() {
  # shellcheck disable=SC2086
  $STAGE_ZERO_SERVE "$1" >>"$out/policy.log" 2>&1 &
  policy_pid=$!
  until_up "$POLICY_URL/models" "$policy_pid" "the policy $1"
}

stop_policy() {
  end_of "$policy_pid"
  policy_pid=
}

export_sessions() {
  ask "$gateway/api/trajectories?of=closed&purpose=training,panel,probe" >"$out/sessions.jsonl.part"
  mv "$out/sessions.jsonl.part" "$out/sessions.jsonl"
  echo "$(wc -l <"$out/sessions.jsonl") sessions in $out/sessions.jsonl"
}

# The name of the checkpoint with the highest mean reward with the selection panel.
chosen_checkpoint() {
  ask "$gateway/api/trajectories?of=closed&split=selection" >"$out/selection.jsonl"
  node "$root/experiments/choose.mjs" "$out/selection.jsonl"
}

# Until stop_evolve it changes shares and members of the population, and holds training while it measures. What it is told
# beside this is the benchmark's own: evolve_arguments, an array that its run.sh fills.
start_evolve() {
  # shellcheck disable=SC2086
  "${command[@]}" evolve --gateway "$gateway" --population "$here/gateway/$arm.yaml" -o "$out/evolve" \
    --seed "$STAGE_ZERO_SEED" "${evolve_arguments[@]}" ${EVOLVE_OPTIONS:-} >>"$out/evolve.log" 2>&1 &
  evolve_pid=$!
}

# start_desk MODEL: the policy under training at $desk, by the names of its checkpoints
start_desk() {
  local at=${STAGE_ZERO_DESK_PORT:-$((port + 1))}
  node "$root/experiments/policy-desk.mjs" "$at" "$out/checkpoints" "$1" >>"$out/policy.log" 2>&1 &
  desk_pid=$!
  desk="http://127.0.0.1:$at/v1"
  until_up "$desk/models" "$desk_pid" "the desk of the policy"
}

# An arm whose population nobody changed is not this arm.
stop_evolve() {
  [ -n "$evolve_pid" ] || return 0
  if ! kill -0 "$evolve_pid" 2>/dev/null; then
    local status=0
    wait "$evolve_pid" || status=$?
    if [ "$status" -ne 0 ]; then
      echo "collapse-aware evolve ended with status $status during training: see $out/evolve.log" >&2
      exit 3
    fi
  fi
  end_of "$evolve_pid"
  end_of "$desk_pid"
  end_of "$scorer_pid"
  evolve_pid= desk_pid= scorer_pid=
}

# What an arm needs beside its gateway while the policy trains, until stop_beside.
start_beside() {
  case "$arm" in
    collapse-aware) start_evolve ;;
    co-training) start_simulator ;;
  esac
}

stop_beside() {
  stop_evolve
  if [ -n "$simulator_pid" ] && ! kill -0 "$simulator_pid" 2>/dev/null; then
    echo "the trainer of the simulator ended during training: see $out/co_train.log" >&2
    exit 3
  fi
  end_of "$simulator_pid"
  simulator_pid=
}

# COTRAIN=off where checkpoints of the pool come from elsewhere.
start_simulator() {
  if [ "${COTRAIN:-on}" = off ]; then return 0; fi
  # shellcheck disable=SC2086
  "$python" "$root/experiments/trainers/co_train.py" --gateway "$gateway" --output "$out/simulator" \
    ${COTRAIN_OPTIONS:-} >>"$out/co_train.log" 2>&1 &
  simulator_pid=$!
}
