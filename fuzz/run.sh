#!/usr/bin/env bash
# Runs fuzz targets one after the other: run.sh SECONDS SANITIZER TARGET...
# The seconds are those of all targets together. What they find by coverage is kept in target/fuzz and
# tried first the next time; what fails is in fuzz/artifacts, and the script ends with 1.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1 sanitizer=$2
shift 2
if [ "$sanitizer" != none ]; then
	export RUSTC_BOOTSTRAP=1
fi
cargo fuzz build --sanitizer "$sanitizer"
failed=()
for target; do
	corpus=target/fuzz/$target log=target/fuzz/$target.log
	mkdir -p "$corpus"
	options=(-max_total_time=$((seconds / $#)) -print_final_stats=1)
	if [ -e "fuzz/$target.dict" ]; then
		options+=("-dict=fuzz/$target.dict")
	fi
	if ! cargo fuzz run --sanitizer "$sanitizer" "$target" "$corpus" "fuzz/seeds/$target" \
		-- "${options[@]}" >"$log" 2>&1; then
		failed+=("$target")
		tail -40 "$log"
	fi
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
	echo "$target: ${runs:-?} runs, ${speed:-?} a second"
done
if [ ${#failed[@]} -gt 0 ]; then
	echo "failed: ${failed[*]}" >&2
	exit 1
fi
