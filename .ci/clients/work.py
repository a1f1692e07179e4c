"""Scenarios about the work behind a return: what an agent did, against what it claims to have done."""

from dataclasses import dataclass

import script
from script import DONE, END, GEMINI_TOLD, NO_CALLERS, NO_CLAUDE, NO_RESUMING, PLAN, RETURN, Delegate, Resume, Say, Shell, Wait, lead, returned

OLD = {PLAN: "# An older plan\n"}
FOLDER = {"specs/12/task.md": "Plan the tide tables.\n"}


@dataclass
class Tool:
    """A call of the first of these tools that the client has: name and arguments."""

    calls: list

    def made(self, said, run):
        for name, arguments in self.calls:
            if name in said.tools:
                placed = {key: value.replace("{PROJECT}", str(run.project)) if isinstance(value, str) else value for key, value in arguments.items()}
                return said.call(name, **placed)
        return None


def read(path=PLAN):
    """A call that cannot have written a file. Where the client has none for reading, another one."""
    place = "{PROJECT}/" + path
    plan = [{"step": "Read the plan", "status": "completed"}]
    return Tool([("Read", {"file_path": place}), ("view", {"path": place}), ("read", {"filePath": place}), ("read_file", {"file_path": place}), ("update_plan", {"plan": plan})])


def patch(*lines):
    """Codex has a command for its file tool, which is no program: it takes the call itself."""
    text = "\n".join(["apply_patch <<'PATCH'", "*** Begin Patch", *lines, "*** End Patch", "PATCH"])
    return ("exec_command", {"cmd": text})


def put(path=PLAN, text="# Plan\n"):
    place = "{PROJECT}/" + path
    add = patch(f"*** Add File: {path}", *(f"+{line}" for line in text.splitlines()))
    return Tool([("Write", {"file_path": place, "content": text}), ("create", {"path": place, "file_text": text}), ("write", {"filePath": place, "content": text}), ("write_file", {"file_path": place, "content": text}), add])


def mend(path=PLAN):
    """A file tool, on the older file. One client's own refuses to replace a file."""
    place = "{PROJECT}/" + path
    edit = {"path": place, "old_str": "An older plan", "new_str": "Plan", "filePath": place, "oldString": "An older plan", "newString": "Plan"}
    update = patch(f"*** Update File: {path}", "@@", "-# An older plan", "+# Plan")
    write = {"file_path": place, "content": "# Plan\n"}
    return Tool([("Write", write), ("write_file", write), ("edit", edit), update])


def fail(path=PLAN):
    """A file tool that fails: the text is not there."""
    place = "{PROJECT}/" + path
    claude = {"file_path": place, "old_string": "no such text", "new_string": "# Plan"}
    update = patch(f"*** Update File: {path}", "@@", "-no such text", "+# Plan")
    return Tool([("Edit", claude), ("edit", {"path": place, "old_str": "no such text", "new_str": "# Plan", "filePath": place, "oldString": "no such text", "newString": "# Plan", **claude}), update])


def commit(path=PLAN):
    return [Shell(f"mkdir -p specs/12 && echo '# Plan' > {path} && git add {path} && git -c user.name=a -c user.email=a@localhost commit -q -m Plan")]


SHELL_ALONE = {"gemini": "its agents have a shell alone"}
CODEX_UNKNOWN = {"codex": (0, False, 0)}

WORK = {
    "work-none": script.Scenario(
        "makes no call and claims a file that has lain there", lead(), {"": [DONE, DONE]}, 1, True, 1, files=OLD, differs=GEMINI_TOLD
    ),
    "work-only-read": script.Scenario(
        "only reads and claims the file that it read",
        lead(),
        {"": [[read()], DONE, DONE]},
        1,
        True,
        1,
        files=OLD,
        only=SHELL_ALONE,
    ),
    "work-of-sibling": script.Scenario(
        "one writes a file, then another one only reads and claims it",
        lambda name: [[Delegate("writer")], [Wait()], [Delegate("claimer")], [Wait()], END],
        {"writer": [[put()], DONE], "claimer": [[read()], DONE, DONE]},
        1,
        True,
        1,
        files=FOLDER,
        only=SHELL_ALONE,
    ),
    "work-corrected": script.Scenario(
        "claims an older file, is asked again, writes it", lead(), {"": [[read()], DONE, [mend()], DONE]}, 1, files=OLD, only=SHELL_ALONE
    ),
    "work-by-shell": script.Scenario(
        "writes a draft in a shell and moves it",
        lead(),
        {"": [[Shell(f"mkdir -p specs/12 && echo '# Plan' > draft.md && mv draft.md {PLAN}")], DONE]},
    ),
    "work-failed": script.Scenario(
        "its file tool fails, and it claims success", lead(), {"": [[fail()], DONE, DONE]}, 1, True, 1, files=OLD, differs=CODEX_UNKNOWN, only=SHELL_ALONE
    ),
    "work-committed": script.Scenario("commits the plan as it goes", lead(), {"": [commit(), DONE]}, files=OLD),
    "work-resumed": script.Scenario(
        "is resumed and returns once more, without a call",
        lambda name: [[Delegate(name)], [Wait()], [Resume(name, "Return it once more.")], [Wait()], END],
        {"": [[put()], DONE, DONE]},
        files=FOLDER,
        only={**SHELL_ALONE, **NO_RESUMING},
    ),
    "work-of-agents": script.Scenario(
        "its own agent of the same name writes the plan: the cycle is a warning",
        lead(),
        {"": [[Delegate("hand")], [Wait()], DONE], "hand": [[put()], [returned(depth=2, chain=("orchestrator", "planner"))]]},
        told=True,
        differs=script.NOT_WARNED,
        files=FOLDER,
        only={**SHELL_ALONE, **NO_CALLERS},
    ),
}

SKILL = "---\nname: plan-tides\ndescription: Plans the tide tables\ncontext: fork\nagent: planner\n---\n[agent {}] Plan the tide tables of task 12.\n"
PLAIN = [Say(RETURN.text, is_text=True)]
WRITE = f"sleep 10; mkdir -p specs/12; echo '# Plan' > {PLAN}"
OTHER = [returned(path="b.md")]
NO_SKILLS = {client: "it has no skills that are agents" for client in NO_CLAUDE if client != "claude-2.1.197"}
NO_COMMANDS = {client: "it does not list commands that run" for client in NO_CLAUDE}

CALLER = {
    "skill": script.Scenario(
        "is a skill that its caller runs, and claims a file twice",
        lambda name: [[Tool([("Skill", {"skill": "plan-tides", "args": "12"})])], END],
        {"": [DONE, DONE]},
        1,
        True,
        1,
        files={".claude/skills/plan-tides/SKILL.md": SKILL.format("skill")},
        only=NO_SKILLS,
    ),
    "resumed-inline": script.Scenario(
        "is resumed by a caller that waits, and claims another file twice",
        lambda name: [[Delegate(name)], [Resume(name, "Return it once more.")], END],
        {"": [script.WORK, DONE, OTHER, OTHER]},
        1,
        True,
        1,
        env={"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"},
        only={client: "its caller does not wait for it" for client in NO_CLAUDE},
    ),
    "unasked": script.Scenario(
        "claims a file twice; its caller goes on, and never asks for the result",
        lambda name: [[Delegate(name, background=True)], [Shell("sleep 5")], [Shell("echo")], END],
        {"": [DONE, DONE]},
        1,
        True,
        1,
        only=script.NO_BACKGROUND,
    ),
    "text-withheld": script.Scenario(
        "must report by a tool of the client, and ends with its return as a text alone: it is not delivered",
        lead(),
        {"": [script.WORK, PLAIN, PLAIN, PLAIN, PLAIN]},
        0,
        True,
        1,
        only=script.NO_MODE,
        is_auto=True,
    ),
    "text-withheld-background": script.Scenario(
        "the same; its caller goes on",
        lead(background=True),
        {"": [script.WORK, PLAIN, PLAIN, PLAIN, PLAIN]},
        0,
        True,
        1,
        only=script.NO_MODE,
        is_auto=True,
        in_background=True,
    ),
    "text-phantom": script.Scenario(
        "the same in the foreground, and claims a file: one record",
        lead(),
        {"": [PLAIN, PLAIN, PLAIN, PLAIN]},
        1,
        True,
        1,
        only=script.NO_MODE,
        is_auto=True,
    ),
    "command": script.Scenario(
        "ends while its own command runs, is told to wait, and then answers in prose: it is asked once more",
        lead(),
        {"": [[Shell(WRITE, background=True)], [Say("I wait for it.")], [Shell(f"until test -s {PLAN}; do sleep 1; done")], [Say("It is written.")], DONE]},
        2,
        only=NO_COMMANDS,
    ),
}

SCENARIOS = {**script.SCENARIOS, **WORK, **CALLER}
