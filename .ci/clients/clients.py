"""The clients: where they come from, how they are set up, and how they are started."""

import json
import os
import re
import subprocess

# Name, family, npm packages, and what runs. The binary of the newest Claude Code is a package of its own.
CLIENTS = {
    "claude-2.1.332": ("claude", ["@anthropic-ai/claude-code@2.1.332", "@anthropic-ai/claude-code-linux-x64@2.1.332"]),
    "claude-2.1.197": ("claude", ["@anthropic-ai/claude-code@2.1.197", "@anthropic-ai/claude-code-linux-x64@2.1.197"]),
    "codex-0.171.0": ("codex", ["@openai/codex@0.171.0"]),
    "codex-0.171.0-v2": ("codex", ["@openai/codex@0.171.0"]),
    "copilot-1.0.102": ("copilot", ["@github/copilot@1.0.102"]),
    "gemini-0.61.0": ("gemini", ["@google/gemini-cli@0.61.0"]),
    "opencode-1.18.33": ("opencode", ["opencode-ai@1.18.33"]),
    "qwen-0.24.4": ("qwen", ["@qwen-code/qwen-code@0.24.4"]),
}
CLIENT_NAMES = {"claude": "claude-code"}
AGENT = "---\nname: {name}\ndescription: Plans tasks and writes a plan\n{more}---\nYou plan tasks.\n"
CONTEXT = "${hook_context}\n"  # where Qwen Code puts the context of a hook
ALLOW = """#!/bin/sh
echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'
"""
SERVER = '''#!/usr/bin/env python3
import json
import sys

TOOL = {"name": "write_result", "description": "Hands in the result", "inputSchema": {
    "type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}}
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    known = {"initialize": lambda: {"protocolVersion": request["params"]["protocolVersion"], "capabilities": {"tools": {}},
                                    "serverInfo": {"name": "results", "version": "1"}},
             "tools/list": lambda: {"tools": [TOOL]},
             "tools/call": lambda: {"content": [{"type": "text", "text": "Taken."}]}}
    result = known.get(request["method"], dict)()
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
'''
SPY = """#!/bin/sh
call=$(mktemp "$SPY_CALLS/$(date +%s%N)-XXXX")
cat > "$call.payload"
"$SPY_RETVAL" "$@" < "$call.payload" > "$call.answer" 2> "$call.errors"
code=$?
cat "$call.answer"
cat "$call.errors" >&2
exit $code
"""


def family(client):
    return CLIENTS[client][0]


def home_of(client, installed):
    """Two clients may be modes of the same program."""
    return installed / client.removesuffix("-v2")


def install(client, folder):
    home = home_of(client, folder)
    if (home / "node_modules").is_dir():
        return
    home.mkdir(parents=True, exist_ok=True)
    (home / "package.json").write_text('{"private": true}')
    command = ["npm", "install", "--no-audit", "--no-fund", "--force", *CLIENTS[client][1]]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"cannot install {client}: {done.stderr[-500:]}")


class Setup:
    """A project, a home and the variables for one run of one client."""

    def __init__(self, client, installed, folder, port, retval, more=""):
        self.more = more
        self.client, self.folder, self.retval = client, folder, retval
        self.modules = home_of(client, installed) / "node_modules"
        self.url = f"http://127.0.0.1:{port}"
        self.project, self.home, self.calls, self.own = (folder / name for name in ("project", "home", "calls", "config"))
        for path in (self.project, self.home, self.calls, self.own, folder / "bin", folder / "state"):
            path.mkdir(parents=True)
        spy = folder / "bin/retval"
        spy.write_text(SPY)
        spy.chmod(0o755)
        foreign = re.compile("CLAUDE|CODEX|GEMINI|QWEN|OPENCODE|COPILOT|ANTHROPIC|OPENAI|GOOGLE|GITHUB|RETVAL|XDG")
        self.env = {key: value for key, value in os.environ.items() if not foreign.match(key)}
        self.env |= {"HOME": str(self.home), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
        self.env |= {"SPY_CALLS": str(self.calls), "SPY_RETVAL": retval, "XDG_RUNTIME_DIR": str(folder / "state")}
        author = ["-c", "user.name=clients", "-c", "user.email=clients@localhost"]
        for words in (["init", "-q"], [*author, "commit", "-q", "--allow-empty", "-m", "Begin"]):
            subprocess.run(["git", *words], cwd=self.project, env=self.env, check=True)
        getattr(self, family(client))()

    def run(self, words, **options):
        return subprocess.run(words, cwd=self.project, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, **options)

    def put(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def agents(self, folder, ending, more="", end=""):
        for name in ("planner", "developer"):
            self.put(folder / f"{name}{ending}", AGENT.format(name=name, more=more + self.more) + end)

    def install_hook(self, options):
        """Into the client's own settings, as a user does it."""
        client = CLIENT_NAMES.get(family(self.client), family(self.client))
        # Without a profile, agents that nobody has configured are not told how to return.
        profile = [] if "--profile" in options else ["--profile", "return"]
        words = [self.retval, "hook", "install", client, "--errors-json", str(self.folder / "errors.json"), *profile, *options]
        done = self.run(words)
        if done.returncode:
            raise SystemExit(f"cannot install the hook: {done.stderr}")

    def program_file(self, name, text):
        path = self.folder / "bin" / name
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    def report_by_tool(self):
        """The mode asks its own service before each tool. A hook that allows stands in for it."""
        allow = {"matcher": "*", "hooks": [{"type": "command", "command": self.program_file("allow", ALLOW)}]}
        self.put(self.own / "settings.json", json.dumps({"hooks": {"PreToolUse": [allow]}}))
        self.command = [word for word in self.command if word != "--dangerously-skip-permissions"]
        self.command += ["--permission-mode", "auto", "--allowedTools", "Bash,Agent,Write,Read"]

    def shorten(self):
        """The client shortens a conversation at fewer tokens."""
        self.env["CLAUDE_CODE_AUTO_COMPACT_WINDOW"] = "100000"

    def add_server(self):
        server = self.program_file("results", SERVER)
        entry = {"command": server, "args": []}
        if family(self.client) == "claude":
            self.put(self.folder / "servers.json", json.dumps({"mcpServers": {"results": entry}}))
            self.command += ["--mcp-config", str(self.folder / "servers.json")]
        if family(self.client) == "copilot":
            entry = {"type": "local", "tools": ["*"], **entry}
            self.put(self.home / ".copilot/mcp-config.json", json.dumps({"mcpServers": {"results": entry}}))
        if family(self.client) == "codex":
            path = self.own / "config.toml"
            path.write_text(path.read_text() + f'[mcp_servers.results]\ncommand = "{server}"\nargs = []\n')
        if family(self.client) == "qwen":
            path = self.home / ".qwen/settings.json"
            path.write_text(json.dumps({**json.loads(path.read_text()), "mcpServers": {"results": {"command": server, "trust": True}}}))
        if family(self.client) == "gemini":
            path = self.home / ".gemini/settings.json"
            path.write_text(json.dumps({**json.loads(path.read_text()), "mcpServers": {"results": {"command": server, "trust": True}}}))
            for agent in (self.home / ".gemini/agents").glob("*.md"):
                agent.write_text(agent.read_text().replace('"run_shell_command"', '"run_shell_command", "mcp_results_write_result"'))

    def spoil_state(self):
        """A file where the folder would be."""
        self.put(self.folder / f"state/retval-hook-{os.getuid()}", "")

    def remove_program(self):
        """As for somebody who has the settings of a project alone."""
        (self.folder / "bin/retval").unlink()
        folders = self.env["PATH"].split(":")
        self.env["PATH"] = ":".join(folder for folder in folders if not os.path.exists(f"{folder}/retval"))

    def install_plugin(self, checkout):
        for words in (["marketplace", "add", str(checkout)], ["install", "retval@retval"]):
            done = self.run([*self.program, "plugin", *words], timeout=120)
            if done.returncode:
                raise SystemExit(f"cannot install the plugin: {done.stdout}{done.stderr}")
        # A file that is found names outputs in its own folder only.
        (self.folder / "errors.json").symlink_to(self.project / "errors.json")
        self.put(self.project / "retval.toml", 'errors-json = "errors.json"\nprofile = "return"\n')

    def claude(self):
        binary = self.modules / "@anthropic-ai/claude-code-linux-x64/claude"
        script = self.modules / "@anthropic-ai/claude-code/cli.js"
        self.program = [str(binary)] if binary.exists() else ["node", str(script)]
        self.agents(self.project / ".claude/agents", ".md")
        self.env |= {"CLAUDE_CONFIG_DIR": str(self.own), "ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": "none"}
        for name in ("DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "IS_SANDBOX"):
            self.env[name] = "1"
        self.command = [*self.program, "-p", "PROMPT", "--dangerously-skip-permissions"]

    def codex(self):
        self.env |= {"CODEX_HOME": str(self.own), "CLIENTS_KEY": "none"}
        self.put(
            self.own / "config.toml",
            f"""model = "gpt-5.2-codex"
model_provider = "script"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.script]
name = "script"
base_url = "{self.url}/v1"
wire_api = "responses"
env_key = "CLIENTS_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[features]
multi_agent = true
multi_agent_v2 = {str(self.client.endswith("-v2")).lower()}
enable_request_compression = false
[agents]
max_depth = 2
[agents.planner]
description = "Plans tasks and writes a plan"
[agents.developer]
description = "Develops what was planned"
[projects."{self.project}"]
trust_level = "trusted"
""",
        )
        self.command = [str(self.modules / ".bin/codex"), "exec", "--json", "--skip-git-repo-check"]
        self.command += ["--dangerously-bypass-hook-trust", "PROMPT"]

    def gemini(self):
        self.agents(self.home / ".gemini/agents", ".md", 'tools: ["run_shell_command"]\n')
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False},
            "experimental": {"enableAgents": True},
        }
        self.put(self.home / ".gemini/settings.json", json.dumps(settings))
        self.env |= {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": self.url, "GEMINI_CLI_NO_RELAUNCH": "true"}
        self.env |= {"GEMINI_CLI_TRUST_WORKSPACE": "true", "NO_BROWSER": "1"}
        script = str(self.modules / "@google/gemini-cli/bundle/gemini.js")
        self.command = ["node", script, "-y", "-m", "gemini-2.5-pro", "-p", "PROMPT"]

    def copilot(self):
        self.agents(self.project / ".github/agents", ".agent.md")
        names = ("TYPE", "BASE_URL", "API_KEY")
        values = ("anthropic", self.url, "none")
        self.env |= {f"COPILOT_PROVIDER_{name}": value for name, value in zip(names, values)}
        self.env |= {"COPILOT_MODEL": "claude-sonnet-4", "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false"}
        self.command = [str(self.modules / ".bin/copilot"), "-p", "PROMPT", "--allow-all", "--trust-folder", "--no-color"]

    def opencode(self):
        self.agents(self.project / ".opencode/agent", ".md", "mode: subagent\n")
        model = {"name": "script", "limit": {"context": 200000, "output": 8000}, "tool_call": True}
        options = {"apiKey": "none", "baseURL": f"{self.url}/v1"}
        provider = {"npm": "@ai-sdk/anthropic", "name": "Script", "options": options, "models": {"m": model}}
        settings = {
            "model": "script/m",
            "small_model": "script/m",
            "autoupdate": False,
            "share": "disabled",
            "permission": {"*": "allow", "task": "allow", "bash": "allow"},
            "provider": {"script": provider},
        }
        self.put(self.project / "opencode.json", json.dumps(settings))
        for name in ("AUTOUPDATE", "MODELS_FETCH", "DEFAULT_PLUGINS", "LSP_DOWNLOAD"):
            self.env[f"OPENCODE_DISABLE_{name}"] = "1"
        self.env["PWD"] = str(self.project)
        self.command = [str(self.modules / "opencode-linux-x64/bin/opencode"), "run", "-m", "script/m", "PROMPT"]

    def qwen(self):
        self.agents(self.project / ".qwen/agents", ".md", end=CONTEXT)
        settings = {"general": {"enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False}}
        self.put(self.home / ".qwen/settings.json", json.dumps(settings))
        self.env |= {"ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": "none", "ANTHROPIC_MODEL": "m"}
        script = str(self.modules / "@qwen-code/qwen-code/cli-entry.js")
        self.command = ["node", script, "--auth-type", "anthropic", "-m", "m", "-y", "-p", "PROMPT"]

    def start(self, prompt, seconds):
        words = [prompt if word == "PROMPT" else word for word in self.command]
        try:
            return self.run(words, timeout=seconds)
        except subprocess.TimeoutExpired:
            return None

    def hook_calls(self):
        calls = []
        for path in sorted(self.calls.glob("*.payload")):
            try:
                payload = json.loads(path.read_text())
            except ValueError:
                continue
            answer = path.with_suffix(".answer")
            text = answer.read_text() if answer.exists() else ""
            calls.append((payload, json.loads(text) if text.startswith("{") else {}))
        return calls

    def records(self):
        path = self.folder / "errors.json"
        return len(json.loads(path.read_text())["errors"]) if path.exists() else 0
