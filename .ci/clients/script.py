"""What the models say: one script for each agent of a scenario, for any client.

A scenario has a lead, the main agent, and agents that it delegates to. A script is a list of turns, and a
turn a list of actions. Each agent is known by a mark in its prompt, such as [lead phantom] or [agent phantom].
"""

import json
import posixpath
import re
from dataclasses import dataclass, field

PLAN = "specs/12/plan.md"
SESSION = "sess_1767225600_k3m9qa"
MARK = re.compile(r"\[(lead|agent) ([a-z0-9-]+)\]")
EXPLORE = "Explore"  # each client has such an agent, by its own name
ACCEPTED = "Planned the tide tables in three phases."


@dataclass
class Say:
    text: object  # a string, or a function of what the agent has read
    is_cut: bool = False  # at the output limit of the model
    is_text: bool = False  # although there is a tool for reports


@dataclass
class Shell:
    command: str
    background: bool = False


@dataclass
class Delegate:
    agent: str
    kind: str = "planner"
    text: str = ""
    background: bool = False
    worktree: bool = False


@dataclass
class Wait:
    """Codex alone: its lead must ask for the results."""


@dataclass
class Resume:
    agent: str
    text: str


@dataclass
class Stop:
    """The lead stops the agent."""


@dataclass
class HandIn:
    """Hands in a return by the tool of an MCP server."""

    say: Say


@dataclass
class Fail:
    """The model's service refuses the request."""


@dataclass
class Scenario:
    about: str
    lead: list
    agents: dict
    asked_again: int = 0
    told: bool = False
    recorded: int = 0
    options: list = field(default_factory=list)
    files: dict = field(default_factory=dict)
    later: dict = field(default_factory=dict)  # files that are there after the hook was installed
    only: dict = field(default_factory=dict)  # client: why not
    differs: dict = field(default_factory=dict)  # client: (asked_again, told, recorded)
    task: str = "Delegate task 12."
    in_background: bool = False
    more: str = ""  # lines of the head of the agents' files
    is_long: bool = False  # the conversation of its agents grows too long
    is_auto: bool = False  # agents hand their report in by a tool of the client
    has_server: bool = False  # an MCP server has a tool for returns
    has_state: bool = True  # the hook can remember
    has_program: bool = True  # retval is on the PATH
    env: dict = field(default_factory=dict)
    instructed: dict = field(default_factory=dict)  # client: how often agents get the instruction


def session_of(read):
    """The id that an obedient agent returns: the task's, else the one that it was told to fall back to."""
    text = read.replace("\\", "")
    named = re.findall(r"session_id: (sess_\w+)", text)
    told = re.findall(r'gives none, metadata\.session_id is "([^"]+)"', text)
    given = re.findall(r'"session_id": "([0-9a-f-]{36})"', text)
    return (named + told + given + ["unknown"])[0]


def returned(agent="planner", path=PLAN, depth=1, chain=("orchestrator",), around="{}", session=None):
    def text(read):
        whole = {
            "status": "completed",
            "summary": ACCEPTED + " The first reads the constants.",
            "artifacts": [{"type": "plan", "path": path, "summary": "The plan"}],
            "metadata": {
                "session_id": session or session_of(read),
                "agent_type": agent,
                "delegation_depth": depth,
                "delegation_path": [*chain, agent],
            },
        }
        return around.replace("{}", json.dumps(whole, indent=2))

    return Say(text)


def suggested(read):
    """A return with the path that the feedback names in place of the wrong one."""
    named = re.findall(r"did you mean ([\w/.]+)\?", read)
    return returned(path=(named or [PLAN])[-1]).text(read)


def write(path=PLAN, text="# Plan"):
    return Shell(f"mkdir -p {posixpath.dirname(path) or '.'} && echo '{text}' > {path}")


WORK = [write()]
RETURN = returned()
DONE = [RETURN]
END = [Say("The delegation is over.")]

META = json.dumps(
    {
        "status": "planned",
        "summary": ACCEPTED + " The plan is written. It has three phases. Nothing is open.",
        "artifacts": [{"type": "plan", "path": PLAN, "summary": "The plan"}],
        "metadata": {
            "session_id": SESSION,
            "agent_type": "planner",
            "duration_seconds": 12,
            "delegation_depth": 1,
            "delegation_path": ["orchestrator", "planner"],
        },
        "next_steps": "Implement it",
    }
)
HANDOFFS = f"bazinga/artifacts/{SESSION}/AUTH/handoffs"
HANDOFF = json.dumps(
    {
        "from_agent": "developer",
        "to_agent": "qa_expert",
        "timestamp": "2026-01-01T10:30:00Z",
        "session_id": SESSION,
        "group_id": "AUTH",
        "status": "READY_FOR_QA",
        "summary": "The tables are printed.",
        "files_modified": [],
        "files_created": [PLAN],
        "tests": {"total": 1, "passing": 1, "failing": 0, "coverage": "90%"},
        "branch": "tides",
        "concerns": [],
        "artifacts": {
            "understanding": f"bazinga/artifacts/{SESSION}/reasoning/developer_AUTH_understanding.md",
            "reasoning": f"bazinga/artifacts/{SESSION}/reasoning/developer_AUTH_completion.md",
            "test_output": f"bazinga/artifacts/{SESSION}/tests/AUTH_dev_results.md",
        },
    }
)

FAILURE_TOLD = {"codex": (0, True, 1), "codex-0.171.0-v2": (0, False, 0)}  # the second mode does not name the agent
GEMINI_TOLD = {"gemini": (0, True, 1)}
NO_LIMITS = {client: "its hooks are not told of it" for client in ("codex", "copilot", "gemini", "opencode", "claude-2.1.197")}
NOT_TOLD_QWEN = {"qwen": "its hooks are not told of it"}
NO_CALLS = {"opencode": "its plugin is not called for it"}
NO_MODE = {client: "its agents have no tool for a report" for client in ("codex", "copilot", "gemini", "opencode", "qwen", "claude-2.1.197")}
NO_WORKTREES = {client: "its agents have no worktrees" for client in ("codex", "copilot", "gemini", "opencode")}
NO_BACKGROUND = {client: "it has no agents in the background" for client in ("gemini", "opencode")}
NO_RESUMING = {client: "an agent that has ended cannot be resumed" for client in ("gemini", "qwen")}
NO_CALLERS = {client: "its agents call no agents" for client in ("gemini", "opencode", "codex-0.171.0-v2")}
CLAUDE_ALONE = {
    **{client: "it has no plugins of Claude Code" for client in ("codex", "copilot", "gemini", "opencode", "qwen")},
}
# They can only replace a result, so nobody is told of warnings.
NOT_WARNED = {client: (0, False, 0) for client in ("copilot", "opencode")}
NO_CLAUDE = {client: "it has no agent of that name" for client in ("codex", "copilot", "gemini", "opencode", "qwen", "claude-2.1.197")}
WRAPPED = "Here it is:\n\n```json\n{}\n```\n\nThat is all."
QUESTION = "How many phases are there?"


def lead(**options):
    return lambda name: [[Delegate(name, **options)], [Wait()], END]


SCENARIOS = {
    "valid": Scenario("writes the plan and returns it", lead(), {"": [WORK, DONE]}),
    "phantom-corrected": Scenario(
        "claims a file, is asked again, writes it", lead(), {"": [DONE, WORK, DONE]}, asked_again=1
    ),
    "phantom-foreground": Scenario(
        "claims a file twice; its caller waits",
        lead(),
        {"": [DONE, DONE]},
        1,
        True,
        1,
    ),
    "phantom-background": Scenario(
        "claims a file twice; its caller goes on",
        lead(background=True),
        {"": [DONE, DONE]},
        1,
        True,
        1,
        only=NO_BACKGROUND,
        in_background=True,
    ),
    "prose": Scenario(
        "answers in prose, then returns", lead(), {"": [WORK, [Say("The plan is written.")], DONE]}, 1
    ),
    "fenced": Scenario(
        "returns in a fence with a sentence around",
        lead(),
        {"": [WORK, [returned(around=WRAPPED)]]},
    ),
    "empty": Scenario(
        "ends without a word, then works and returns",
        lead(),
        {"": [[], WORK, DONE]},
        1,
        differs={"qwen": (0, False, 0)},
        only={"gemini": "it ends by complete_task alone"},
    ),
    "near-miss": Scenario(
        "returns a path with a slip, and then the one that the feedback asks about",
        lead(),
        {"": [[write("specs/plan.md")], DONE, [Say(suggested)]]},
        1,
    ),
    "wrapped-near-miss": Scenario(
        "the same, in a fence with a sentence around: the form costs no try",
        lead(),
        {"": [[write("specs/plan.md")], [returned(around=WRAPPED)], [Say(lambda read: WRAPPED.replace("{}", suggested(read)))]]},
        1,
    ),
    "session-collision": Scenario(
        "returns the id of its task, not the client's", lead(text=f"session_id: {SESSION} "), {"": [WORK, [returned(session=SESSION)]]}
    ),
    "nested": Scenario(
        "its own agent claims a file twice; it is told",
        lead(),
        {
            "": [[Delegate("inner")], [Wait()], WORK, DONE],
            "inner": [[returned(depth=2, chain=("orchestrator", "planner"))] for _ in range(2)],
        },
        1,
        True,
        1,
        only=NO_CALLERS,
    ),
    "parallel": Scenario(
        "three at once: one valid, one corrected, one still invalid",
        lambda name: [[Delegate("one"), Delegate("two"), Delegate("three")], [Wait()], [Wait()], [Wait()], END],
        {
            "one": [[write("a.md")], [returned(path="a.md")]],
            "two": [[returned(path="b.md")], [write("b.md")], [returned(path="b.md")]],
            "three": [[returned(path="c.md")] for _ in range(2)],
        },
        2,
        True,
        1,
        differs={"gemini": (0, True, 2)},
    ),
    "resumed": Scenario(
        "is asked a question after its return was accepted",
        lambda name: [[Delegate(name)], [Wait()], [Resume(name, QUESTION)], [Wait()], END],
        {"": [WORK, DONE, [Say("There are three phases.")]]},
        only=NO_RESUMING,
        instructed={"": 1},
    ),
    "resumed-invalid": Scenario(
        "is asked a question after its invalid return was accepted: it must return now",
        lambda name: [[Delegate(name)], [Wait()], [Resume(name, QUESTION)], [Wait()], END],
        {"": [DONE, DONE, [Say("There are three phases.")], WORK, DONE]},
        2,
        True,
        1,
        only=NO_RESUMING,
        instructed={"": 2, "codex": 1, "copilot": 1},
    ),
    "unusable-state": Scenario(
        "claims a file three times, and the hook can remember nothing",
        lead(),
        {"": [DONE, DONE, DONE]},
        1,
        True,
        2,
        options=["--retries", "2"],
        differs={"codex": (1, False, 1), "copilot": (1, True, 1), "opencode": (2, True, 1), "qwen": (1, False, 1), **GEMINI_TOLD},
        has_state=False,
    ),
    "api-failure": Scenario(
        "the model fails: no return, but a record",
        lead(),
        {"": [[Fail()]]},
        recorded=1,
        differs={
            "claude-2.1.197": (0, True, 1),
            **FAILURE_TOLD,
            "copilot": (0, True, 1),
            "opencode": (0, False, 0),
            **GEMINI_TOLD,
        },
    ),
    "api-failure-background": Scenario(
        "the same in the background",
        lead(background=True),
        {"": [[Fail()]]},
        recorded=1,
        differs={
            **FAILURE_TOLD,
            "copilot": (0, False, 0),
            "qwen": (0, False, 0),
            "claude-2.1.332": (0, True, 1),  # by a receipt
        },
        only=NO_BACKGROUND,
        in_background=True,
    ),
    "read-only": Scenario(
        "a built-in agent answers in prose and is left alone",
        lead(kind=EXPLORE),
        {"": [[Say("There are three files.")]]},
        differs={"codex": (1, True, 1), "copilot": (1, True, 1)},
    ),
    "general": Scenario(
        "a built-in agent that may do everything answers in prose and is left alone",
        lead(kind="claude"),
        {"": [WORK, [Say("The plan is written.")]]},
        only=NO_CLAUDE,
        instructed={"": 0},
    ),
    "no-program": Scenario(
        "retval is not on the PATH: it works as without a hook", lead(), {"": [WORK, DONE]}, has_program=False, instructed={"": 0}
    ),
    "parallel-corrected": Scenario(
        "three at once claim files, are asked again, write them and return the same",
        lambda name: [[Delegate("one"), Delegate("two"), Delegate("three")], [Wait()], [Wait()], [Wait()], END],
        {agent: [[returned(path=f"{agent}.md")], [write(f"{agent}.md")], [returned(path=f"{agent}.md")]] for agent in ("one", "two", "three")},
        3,
        differs={"gemini": (0, True, 3)},
    ),
    "worktree": Scenario(
        "works in a worktree, where its file is", lead(worktree=True), {"": [WORK, DONE]}, only={**NO_WORKTREES, "qwen": "it starts none beside files that are not committed"}
    ),
    "absolute-paths": Scenario(
        "names its file by its absolute path: its caller is told of the warning",
        lead(),
        {"": [WORK, [returned(path="{PROJECT}/" + PLAN)]]},
        told=True,
        differs=NOT_WARNED,
    ),
    "metadata-file": Scenario(
        "writes .return-meta.json, which has a warning, and answers in prose",
        lead(text=f"session_id: {SESSION} "),
        {"": [[write(), write("specs/12/.return-meta.json", META)], [Say("Planned.")]]},
        told=True,
        differs=NOT_WARNED,
        options=["--profile", "return-meta", "--return-file", "specs/*/.return-meta.json", "--agents", "*"],
    ),
    "compact-handoff": Scenario(
        "returns a status and leaves the rest in the handoff file, of tests that no command ran",
        lead(kind="developer", text=f"session_id: {SESSION}, group: AUTH "),
        {
            "": [
                [
                    write(),
                    *(write(f"bazinga/artifacts/{SESSION}/{name}") for name in (
                        "reasoning/developer_AUTH_understanding.md",
                        "reasoning/developer_AUTH_completion.md",
                        "tests/AUTH_dev_results.md",
                    )),
                    write(f"{HANDOFFS}/handoff_developer.json", HANDOFF),
                ],
                [Say('{"status": "READY_FOR_QA"}')],
            ]
        },
        told=True,
        differs=NOT_WARNED,
        options=["--profile", "compact", "--session", SESSION, "--group", "AUTH"],
    ),
    "handback-corrected": Scenario(
        "reports by a tool of the client: claims a file, is asked again, writes it",
        lead(),
        {"": [DONE, WORK, DONE]},
        1,
        only=NO_MODE,
        is_auto=True,
    ),
    "handback-phantom": Scenario(
        "reports by that tool and claims a file twice; its caller waits",
        lead(),
        {"": [DONE, DONE]},
        1,
        True,
        1,
        only=NO_MODE,
        is_auto=True,
    ),
    "handback-background": Scenario(
        "the same; its caller goes on",
        lead(background=True),
        {"": [DONE, DONE]},
        1,
        True,
        1,
        only=NO_MODE,
        in_background=True,
        is_auto=True,
    ),
    "tool-corrected": Scenario(
        "hands in a false claim by the tool of a server, is asked again, writes the file",
        lead(),
        {"": [[HandIn(RETURN)], WORK, [HandIn(RETURN)], [Say("It is handed in.")]]},
        1,
        options=["--tool", "*write_result"],
        only=NO_CALLS,
        has_server=True,
    ),
    "tool-missing": Scenario(
        "ends without that tool, is asked again and uses it",
        lead(),
        {"": [WORK, DONE, [HandIn(RETURN)], [Say("It is handed in.")]]},
        1,
        options=["--tool", "*write_result"],
        differs={"gemini": (0, False, 0)},
        only=NO_CALLS,
        has_server=True,
    ),
    "limit-refused": Scenario(
        "claims a file and is at its turn limit when it is asked again; its caller goes on",
        lead(background=True),
        {"": [DONE]},
        1,
        True,
        1,
        only=NO_LIMITS,
        in_background=True,
        more="maxTurns: 1\n",
    ),
    "limit-silent": Scenario(
        "is still working at its turn limit; its caller waits",
        lead(),
        {"": [WORK, WORK]},
        0,
        True,
        1,
        differs={"qwen": (1, True, 1)},
        only=NO_LIMITS,
        more="maxTurns: 1\n",
    ),
    "limit-silent-background": Scenario(
        "the same; its caller goes on",
        lead(background=True),
        {"": [WORK, WORK]},
        0,
        True,
        1,
        differs={"qwen": (1, True, 1)},
        only=NO_LIMITS,
        in_background=True,
        more="maxTurns: 1\n",
    ),
    "failed-refused": Scenario(
        "claims a file, is asked again, and the model fails; its caller goes on",
        lead(background=True),
        {"": [DONE, [Fail()]]},
        1,
        True,
        1,
        differs={"codex-0.171.0-v2": (1, False, 0), "copilot": (1, False, 0), "qwen": (1, False, 0)},
        only=NO_BACKGROUND,
        in_background=True,
    ),
    "stopped-refused": Scenario(
        "claims a file, is asked again, and is stopped by its caller",
        lambda name: [[Delegate(name, background=True)], [Shell("sleep 4")], [Stop()], END],
        {"": [DONE, [Shell("sleep 20")], DONE]},
        1,
        True,
        1,
        only={**{client: why for client, why in NO_LIMITS.items() if client != "codex"}, "codex-0.171.0-v2": "its call does not have the id of the agent", **NOT_TOLD_QWEN},
        in_background=True,
    ),
    "waiting": Scenario(
        "ends while its own agent works, is told to wait, and returns",
        lead(),
        {
            "": [[Delegate("inner", background=True)], [Say("I wait for it.")], [Shell("sleep 4")], WORK, DONE],
            "inner": [[Shell("sleep 3")], [write("b.md")], [returned(depth=2, chain=("orchestrator", "planner"), path="b.md")]],
        },
        1,
        only={**NO_LIMITS, "qwen": "its agents start no agents in the background"},
    ),
    "compaction": Scenario(
        "its conversation is shortened: it gets the instruction again",
        lead(),
        {"": [[Shell("seq 1 20000")], [Shell("seq 1 20000")], [Shell("seq 1 20000")], WORK, DONE]},
        only={**NO_LIMITS, **NOT_TOLD_QWEN},
        instructed={"": 2},
        is_long=True,
    ),
    "mistake": Scenario(
        "the configuration has a mistake: its caller is told",
        lead(),
        {"": [WORK, DONE]},
        0,
        True,
        1,
        later={"retval.toml": "[hook]\nretries = 'three'\n"},
        differs={"copilot": (0, False, 1), "opencode": (0, False, 1)},
        instructed={"": 0},
    ),
    "observed": Scenario(
        "claims a file while the hook observes",
        lead(),
        {"": [DONE]},
        recorded=1,
        options=["--observe"],
    ),
    "plugin": Scenario(
        "the hook comes from the plugin: claims a file, is told, its caller too",
        lead(),
        {"": [DONE, DONE]},
        1,
        True,
        1,
        only=CLAUDE_ALONE,
    ),
}
