#!/usr/bin/env bash
# The validation that orchestrators ran before retval: the steps of seed 003 in bash and jq, their
# faults included. Usage: pipeline.sh AGENT SESSION < return
agent=$1 session=$2
input=$(cat)

field() { jq -e ".$1" <<<"$input" >/dev/null 2>&1; }
fail() { echo "[FAIL] $1"; exit 1; }

jq empty <<<"$input" 2>/dev/null || fail "Invalid JSON return from $agent"
echo '[PASS] Return is valid JSON'

for name in status summary artifacts metadata; do
  field "$name" || fail "Missing required field: $name"
done
for name in session_id agent_type delegation_depth delegation_path; do
  field "metadata.$name" || fail "Missing required metadata field: $name"
done
echo '[PASS] All required fields present'

status=$(jq -r .status <<<"$input")
known=(completed partial failed blocked)
[[ " ${known[*]} " == *" $status "* ]] || fail "Invalid status: $status"
echo "[PASS] Status is valid: $status"

[ "$(jq -r .metadata.session_id <<<"$input")" = "$session" ] || fail 'Session ID mismatch'
echo '[PASS] Session ID matches'

if [ "$status" = completed ]; then
  count=$(jq '.artifacts | length' <<<"$input")
  [ "$count" -ne 0 ] || fail "Agent returned 'completed' status but created no artifacts"
  echo "[INFO] Artifact count: $count"
  # Unquoted on purpose, as in the original: a path is split at its spaces.
  paths=$(jq -r '.artifacts[].path' <<<"$input")
  for path in $paths; do
    [ -f "$path" ] || fail "Artifact does not exist: $path"
    echo "[PASS] Artifact exists: $path"
  done
  for path in $paths; do
    [ -s "$path" ] || fail "Artifact is empty: $path"
    echo "[PASS] Artifact is non-empty: $path ($(stat -c%s "$path") bytes)"
  done
  echo "[PASS] $count artifacts validated"
else
  echo "[INFO] Skipping artifact validation (status=$status)"
fi
echo '[PASS] Return validation succeeded'
