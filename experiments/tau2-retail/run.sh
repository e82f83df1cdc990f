#!/usr/bin/env bash
# tau2-bench, one arm and seed: bash run.sh ARM
. "$(dirname "${BASH_SOURCE[0]}")/../arm.sh"
. "$here/../tau2.sh"
