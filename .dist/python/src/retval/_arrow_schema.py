# mypy: disable-error-code="import-untyped"
# As `retval schema --target arrow` prints it.
import pyarrow as pa

SCHEMA = pa.schema({
    "version": pa.int64(),
    "source": pa.string(),
    "line": pa.int64(),
    "id": pa.string(),
    "profile": pa.string(),
    "valid": pa.bool_(),
    "error": pa.string(),
    "status": pa.string(),
    "session_id": pa.string(),
    "agent_type": pa.string(),
    "delegation_depth": pa.float64(),
    "delegation_path": pa.list_(pa.string()),
    "summary": pa.string(),
    "summary_tokens": pa.float64(),
    "duration_seconds": pa.float64(),
    "next": pa.struct({"action": pa.string(), "agent": pa.string()}),
    "recoverable": pa.bool_(),
    "next_steps": pa.string(),
    "partial_progress": pa.struct({"stage": pa.string(), "details": pa.string(), "phases_completed": pa.float64(), "phases_total": pa.float64()}),
    "completion_data": pa.string(),
    "counts": pa.struct({"phase_count": pa.float64(), "phases_completed": pa.float64(), "phases_total": pa.float64(), "findings_count": pa.float64()}),
    "handoff": pa.string(),
    "errors": pa.list_(pa.struct({"type": pa.string(), "message": pa.string(), "code": pa.string(), "recoverable": pa.bool_(), "recommendation": pa.string()})),
    "steps": pa.list_(pa.struct({"step": pa.string(), "outcome": pa.string(), "reason": pa.string()})),
    "findings": pa.list_(pa.struct({"rule": pa.string(), "level": pa.string(), "message": pa.string(), "help": pa.string(), "pointer": pa.string(), "line": pa.int64(), "column": pa.int64(), "offset": pa.int64(), "length": pa.int64(), "suggestion": pa.string()})),
    "findings_omitted": pa.int64(),
    "accepted": pa.int64(),
    "envelope": pa.struct({"kind": pa.string(), "pointer": pa.string(), "line": pa.int64()}),
    "artifacts": pa.list_(pa.struct({"path": pa.string(), "type": pa.string(), "summary": pa.string(), "state": pa.string(), "bytes": pa.int64()})),
    "evidence": pa.list_(pa.struct({"rule": pa.string(), "claim": pa.string(), "pointer": pa.string(), "file": pa.string(), "value": pa.string(), "reason": pa.string()}))
})
