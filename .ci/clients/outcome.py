"""What a run of a scenario has shown."""

import json

STOPS = ("SubagentStop", "subagentStop", "tool.execute.after")


def outcome(setup, run):
    """How often an agent was asked again, whether a caller was told, and how many returns were recorded."""
    calls = setup.hook_calls()
    stop = lambda payload: payload.get("hook_event_name", "subagentStop" if "response" in payload else "") in STOPS
    is_again = lambda answer: answer.get("decision") == "block" or "ask_again" in answer
    asked_again = sum(1 for payload, answer in calls if stop(payload) and is_again(answer) or is_denied(payload, answer))
    told = False
    for payload, answer in calls:
        if stop(payload) or is_denied(payload, answer) or not answer:
            notice = answer.get("modifiedResponse") or answer.get("result")
        else:
            notice = answer.get("reason") or (answer.get("hookSpecificOutput") or answer).get("additionalContext")
        # It counts when the model has read it.
        starts = ("SubagentStart", "SessionStart", "BeforeTool", "tool.execute.before", None)
        event = payload.get("hook_event_name", "failure" if "error" in payload else None)
        if notice and event not in starts or answer.get("modifiedResponse"):
            told = told or any(has_read(read, notice) for _, read in run.requests)
    return asked_again, told, setup.records()


def is_denied(payload, answer):
    """Whether a call was refused by which an agent handed in its return."""
    if payload.get("hook_event_name") == "BeforeTool":
        return payload.get("tool_name") != "invoke_agent" and answer.get("decision") == "deny"
    return "deny" in (answer.get("permissionDecision"), (answer.get("hookSpecificOutput") or {}).get("permissionDecision"))


def has_read(read, notice):
    line = max((line for line in notice.splitlines()), key=len)
    plain = lambda text: "".join(letter for letter in text if letter.isalnum())
    return plain(json.dumps(line, ensure_ascii=False)) in plain(read)


def instructions(setup):
    given = [answer.get("additionalContext") or (answer.get("hookSpecificOutput") or {}).get("additionalContext") or ""
             for _, answer in setup.hook_calls()]
    prompts = [answer.get("prompt") or "" for _, answer in setup.hook_calls()]
    return sum(text.startswith(("CRITICAL RETURN FORMAT", "RETURN FORMAT")) for text in given) + sum("RETURN FORMAT" in text for text in prompts)
