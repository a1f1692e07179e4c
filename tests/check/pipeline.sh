#!/usr/bin/env bash
# The validation that orchestrators ran before retval: the steps of the document Subagent return
# validation in bash and jq, their faults included. Usage: pipeline.sh AGENT SESSION < return
agent=$1 session=$2
input=$(cat)

field() { jq -e ".$1" <<<"$input" >/dev/null 2>&1; }
# The head, then each line below it.
fail() { echo "[FAIL] $1"; shift; printf '%s\n' "$@"; exit 1; }
# The line of every failure that has no line of its own.
failed='Error: Subagent return validation failed'

jq empty <<<"$input" 2>/dev/null || fail "Invalid JSON return from $agent" \
  'Error: Cannot parse return as JSON' \
  "Recommendation: Fix $agent subagent return format"
echo '[PASS] Return is valid JSON'

for name in status summary artifacts metadata; do
  field "$name" || fail "Missing required field: $name" "$failed" \
    "Recommendation: Fix $agent subagent to include all required fields"
done
for name in session_id agent_type delegation_depth delegation_path; do
  field "metadata.$name" || fail "Missing required metadata field: $name" "$failed" \
    "Recommendation: Fix $agent subagent to include all required metadata fields"
done
echo '[PASS] All required fields present'

status=$(jq -r .status <<<"$input")
known=(completed partial failed blocked)
[[ " ${known[*]} " == *" $status "* ]] || fail "Invalid status: $status" \
  'Valid statuses: completed, partial, failed, blocked' "$failed" \
  "Recommendation: Fix $agent subagent to use valid status enum"
echo "[PASS] Status is valid: $status"

returned=$(jq -r .metadata.session_id <<<"$input")
[ "$returned" = "$session" ] || fail 'Session ID mismatch' \
  "Expected: $session" "Got: $returned" "$failed" \
  "Recommendation: Fix $agent subagent to return correct session_id"
echo '[PASS] Session ID matches'

if [ "$status" = completed ]; then
  count=$(jq '.artifacts | length' <<<"$input")
  [ "$count" -ne 0 ] || fail "Agent returned 'completed' status but created no artifacts" \
    'Error: Phantom work detected - status=completed but no artifacts' \
    "Recommendation: Verify $agent creates artifacts before updating status"
  echo "[INFO] Artifact count: $count"
  # Unquoted on purpose, as in the original: a path is split at its spaces.
  paths=$(jq -r '.artifacts[].path' <<<"$input")
  for path in $paths; do
    [ -f "$path" ] || fail "Artifact does not exist: $path" \
      'Error: Subagent claimed to create artifact but file does not exist' \
      "Recommendation: Verify $agent writes artifacts to correct paths"
    echo "[PASS] Artifact exists: $path"
  done
  for path in $paths; do
    [ -s "$path" ] || fail "Artifact is empty: $path" \
      'Error: Subagent created file but wrote no content' \
      "Recommendation: Verify $agent writes content to artifacts"
    echo "[PASS] Artifact is non-empty: $path ($(stat -c%s "$path") bytes)"
  done
  echo "[PASS] $count artifacts validated"
else
  echo "[INFO] Skipping artifact validation (status=$status)"
  echo 'Note: Partial/failed/blocked status may have empty or incomplete artifacts'
fi
echo '[PASS] Return validation succeeded'
echo "Status: $status"
if [ "$status" = completed ]; then
  echo "Artifacts: $count validated"
fi
