"""A server on 127.0.0.1 that plays the models: Anthropic's, OpenAI's and Google's protocol."""

import json
import re
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from script import EXPLORE, MARK, Delegate, Fail, HandIn, Resume, Say, Shell, Stop, Wait
from work import Tool


def new_id(kind):
    return f"{kind}_{uuid.uuid4().hex[:20]}"


class Anthropic:
    """Claude Code, Copilot CLI, opencode and Qwen Code."""

    is_cut = False

    def __init__(self, request):
        self.request = request
        self.tools = {tool["name"]: tool.get("input_schema", {}).get("properties", {}) for tool in request.get("tools") or []}
        self.read = json.dumps([request.get("system"), request.get("messages")], ensure_ascii=False)
        heard = [message["content"] for message in request.get("messages", []) if message["role"] == "user"]
        texts = [text if isinstance(text, str) else [part for part in text if part.get("type") == "text"] for text in heard]
        self.prompt = json.dumps(texts, ensure_ascii=False)

    def call(self, tool, /, **arguments):
        known = {key: value for key, value in arguments.items() if key in self.tools.get(tool, {})}
        return {"type": "tool_use", "id": new_id("toolu"), "name": tool, "input": known}

    def act(self, action, run):
        if isinstance(action, Say):
            if "SubagentHandback" in self.tools and not action.is_text:
                return self.call("SubagentHandback", message=action.text)
            return {"type": "text", "text": action.text}
        if isinstance(action, Stop):
            if "TaskStop" not in self.tools:
                return {**self.call("ToolSearch", query="select:TaskStop", max_results=1), "again": True}
            return self.call("TaskStop", task_id=run.agent_id(self.read))
        if isinstance(action, Shell):
            name = next(name for name in ("Bash", "bash", "run_shell_command") if name in self.tools)
            background = {"run_in_background": True} if action.background else {}
            return self.call(name, command=action.command, description="Work on the plan", **background)
        if isinstance(action, Delegate):
            name = next(name for name in ("Agent", "task", "Task", "agent") if name in self.tools)
            placed = {"isolation": "worktree"} if action.worktree else {}
            # In Copilot CLI only an agent in the background can be resumed.
            in_background = action.background or run.resumes
            return self.call(
                name,
                description="Plan the tide tables",
                prompt=run.prompt(action),
                subagent_type=action.kind.lower() if name == "task" else action.kind,
                agent_type="explore" if action.kind == EXPLORE else action.kind,
                name=f"plan-{action.agent}",
                run_in_background=action.background,
                mode="background" if in_background else "sync",
                **placed,
            )
        if isinstance(action, Resume):
            return self.resume(action, run)
        if isinstance(action, Wait):
            return self.wait(run)
        return None

    def resume(self, action, run):
        """Each client and version has another tool for it."""
        agent, question = run.agent_id(self.read), run.question(action)
        if "write_agent" in self.tools:
            return self.call("write_agent", agent_id=agent, message=question)
        if "task_id" in self.tools.get("task", {}):
            return self.call("task", description="A question", prompt=question, subagent_type="planner", task_id=agent)
        if "resume" in self.tools.get("Task", {}):
            return self.call("Task", description="A question", prompt=question, subagent_type="planner", resume=agent)
        if "SendMessage" not in self.tools:
            return {**self.call("ToolSearch", query="select:SendMessage", max_results=1), "again": True}
        return self.call("SendMessage", to=agent, message=question, summary="A question")

    def wait(self, run):
        """Newer versions of Claude Code tell by themselves that an agent has ended in the background."""
        if not (run.in_background or run.resumes and "read_agent" in self.tools):
            return None
        agent = run.agent_id(self.read)
        if "read_agent" in self.tools:
            return self.call("read_agent", agent_id=agent, wait=True, timeout=60)
        if "TaskOutput" in self.tools:
            return self.call("TaskOutput", task_id=agent, block=True, timeout=60000)
        return None

    def is_summary(self):
        """Whether the client asks for a summary of a conversation that has grown too long."""
        return "Do NOT call any tools" in json.dumps(self.request["messages"][-1])

    def reply(self, handler, blocks, tokens=9):
        calls = any(block["type"] == "tool_use" for block in blocks)
        stop = "tool_use" if calls else "max_tokens" if self.is_cut else "end_turn"
        usage = {"input_tokens": tokens, "output_tokens": 9, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        message = {"id": new_id("msg"), "type": "message", "role": "assistant", "model": self.request.get("model", "m")}
        message |= {"content": blocks, "stop_reason": stop, "stop_sequence": None, "usage": usage}
        if not self.request.get("stream"):
            return handler.send_json(message)
        events = [("message_start", {"message": {**message, "content": [], "stop_reason": None}})]
        for index, block in enumerate(blocks):
            if block["type"] == "text":
                empty, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
            else:
                empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            events.append(("content_block_start", {"index": index, "content_block": empty}))
            events.append(("content_block_delta", {"index": index, "delta": delta}))
            events.append(("content_block_stop", {"index": index}))
        events.append(("message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}))
        handler.send_events([*events, ("message_stop", {})])


class Responses:
    """Codex."""

    is_cut = False

    def __init__(self, request):
        self.request = request
        self.tools = {}
        for tool in request.get("tools", []):
            space = tool["name"] if tool.get("type") == "namespace" else None
            for inner in tool.get("tools", [tool]) if space else [tool]:
                properties = (inner.get("parameters") or {}).get("properties", {})
                self.tools[inner.get("name", inner.get("type"))] = (space, properties)
        self.read = json.dumps(request.get("input", []), ensure_ascii=False)
        heard = [item for item in request.get("input", []) if item.get("role") in ("user", "developer") or item.get("type") == "agent_message"]
        self.prompt = json.dumps(heard, ensure_ascii=False)

    def call(self, tool, /, **arguments):
        space, properties = self.tools[tool]
        known = {key: value for key, value in arguments.items() if key in properties}
        item = {"type": "function_call", "id": new_id("fc"), "call_id": new_id("call"), "name": tool}
        item |= {"arguments": json.dumps(known), "status": "completed"}
        return item | ({"namespace": space} if space else {})

    def act(self, action, run):
        if isinstance(action, Say):
            content = [{"type": "output_text", "text": action.text, "annotations": []}]
            return {"type": "message", "id": new_id("msg"), "role": "assistant", "status": "completed", "content": content}
        if isinstance(action, Shell):
            name = next(name for name in ("exec_command", "shell_command", "shell") if name in self.tools)
            command = ["bash", "-c", action.command] if name == "shell" else action.command
            return self.call(name, cmd=command, command=command)
        if isinstance(action, Delegate):
            kind = "explorer" if action.kind == EXPLORE else action.kind
            return self.call("spawn_agent", message=run.prompt(action), task_name=action.agent.replace("-", "_"), agent_type=kind)
        if isinstance(action, Resume):
            name = next(name for name in ("send_input", "followup_task") if name in self.tools)
            target = run.agent_ids(self.read)[-1]
            # In the second mode agents have names instead of ids.
            target = target.replace("-", "_") if name == "followup_task" else target
            return self.call(name, target=target, message=run.question(action))
        if isinstance(action, Stop):
            return self.call("close_agent", target=run.agent_ids(self.read)[-1])
        if isinstance(action, Wait):
            name = next(name for name in ("wait", "wait_agent") if name in self.tools)
            ids = run.agent_ids(self.read)
            # It waits for any of them.
            ids = [agent for agent in ids if not re.search(rf"{agent}\W+completed", self.read)] or ids
            return self.call(name, ids=ids, targets=ids, timeout_ms=20000)
        return None

    def reply(self, handler, items):
        response = {"id": new_id("resp"), "output": items}
        details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        response["usage"] = {"input_tokens": 9, "output_tokens": 9, "total_tokens": 18, **details}
        events = [("response.created", {"response": {"id": response["id"]}})]
        for index, item in enumerate(items):
            events.append(("response.output_item.added", {"output_index": index, "item": item}))
            events.append(("response.output_item.done", {"output_index": index, "item": item}))
        if self.is_cut:
            response["incomplete_details"] = {"reason": "max_output_tokens"}
        ended = "response.incomplete" if self.is_cut else "response.completed"
        handler.send_events([*events, (ended, {"response": response})])


def function_call(function, /, **arguments):
    return {"functionCall": {"name": function, "args": arguments}}


class Gemini:
    """Gemini CLI."""

    is_cut = False

    def __init__(self, request):
        self.request = request
        declared = [tool.get("functionDeclarations", []) for tool in request.get("tools", [])]
        self.tools = {function["name"]: function for functions in declared for function in functions}
        self.read = json.dumps([request.get("systemInstruction"), request.get("contents")], ensure_ascii=False)
        heard = [content for content in request.get("contents", []) if content.get("role") == "user"]
        self.prompt = json.dumps(heard[:2], ensure_ascii=False)

    def call(self, tool, /, **arguments):
        return function_call(tool, **arguments)

    def act(self, action, run):
        if isinstance(action, Say):
            if "complete_task" in self.tools:
                return function_call("complete_task", result=action.text)
            return {"text": action.text}
        if isinstance(action, Shell):
            return function_call("run_shell_command", command=action.command, description="Work on the plan")
        if isinstance(action, Delegate):
            kind = "codebase_investigator" if action.kind == EXPLORE else action.kind
            return function_call("invoke_agent", agent_name=kind, prompt=run.prompt(action))
        return None

    def reply(self, handler, parts):
        ended = "MAX_TOKENS" if self.is_cut else "STOP"
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": ended, "index": 0}
        usage = {"promptTokenCount": 9, "candidatesTokenCount": 9, "totalTokenCount": 18}
        answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m", "responseId": new_id("r")}
        if "stream" in handler.path:
            handler.send_events([(None, answer)])
        else:
            handler.send_json(answer)


PROTOCOLS = [("/v1/messages", Anthropic), ("/responses", Responses), ("enerateContent", Gemini)]


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send_json(self, value, code=200):
        body = json.dumps(value).encode()
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_events(self, events):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, data in events:
            head = f"event: {name}\n" if name else ""
            data = {"type": name, **data} if name else data
            self.wfile.write(f"{head}data: {json.dumps(data)}\n\n".encode())
        self.wfile.flush()
        self.close_connection = True

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self):
        self.send_json({"data": [], "models": []}, 404 if self.headers.get("upgrade") else 200)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        path = self.path.split("?")[0]
        protocol = next((found for part, found in PROTOCOLS if part in path), None)
        if protocol is None or path.endswith(("count_tokens", "countTokens")):
            return self.send_json({"input_tokens": 9, "totalTokens": 9})
        said = protocol(json.loads(raw))
        mark = run_of(self).mark(said)
        if mark is None:
            return said.reply(self, [said.act(Say('{"title": "Tides"}'), None)])
        if run_of(self).is_long and said.is_summary():
            return said.reply(self, [said.act(run_of(self).summary(mark), None)])
        try:
            actions = run_of(self).turn(mark, said)
        except Exception as error:
            run_of(self).faults.append(f"{' '.join(mark)}: {error!r}")
            actions = [Fail()]
        if any(isinstance(action, Fail) for action in actions):
            return self.send_json({"type": "error", "error": {"type": "invalid_request_error", "message": "the model fails"}}, 400)
        said.reply(self, actions, *run_of(self).tokens(mark))


def run_of(handler):
    return handler.server.run


class Run:
    """The state of one scenario in one client."""

    def __init__(self, name, scenario):
        self.name, self.project = name, None
        self.in_background, self.is_long, self.is_summed_up = scenario.in_background, scenario.is_long, False
        self.scripts = {("lead", name): scenario.lead(name)}
        self.resumes = any(isinstance(action, Resume) for turn in self.scripts["lead", name] for action in turn)
        self.scripts |= {("agent", agent or name): turns for agent, turns in scenario.agents.items()}
        self.turns = {mark: 0 for mark in self.scripts}
        self.asked_again = {}
        self.requests = []
        self.faults = []  # of the script, not of the client
        self.lock = threading.Lock()

    def prompt(self, action):
        return f"[agent {action.agent}] Plan the tide tables of task 12. Write the plan. {action.text}"

    def summary(self, mark):
        self.is_summed_up = True
        return Say(f"<summary>[{' '.join(mark)}] Two long outputs were read.</summary>")

    def tokens(self, mark):
        return [199_000] if self.is_long and mark[0] == "agent" and not self.is_summed_up else []

    def question(self, action):
        """Claude Code 2.0 does not give a resumed agent its first prompt again."""
        return f"[agent {action.agent}] {action.text}"

    def mark(self, said):
        """Whose request it is: an agent's prompt may repeat its lead's."""
        marks = [mark for mark in MARK.findall(said.prompt) if mark in self.scripts]
        agents = [mark for mark in marks if mark[0] == "agent"]
        return (agents[-1:] or marks[:1] or [None])[0] if said.tools else None

    def turn(self, mark, said):
        with self.lock:
            self.requests.append((mark, said.read))
            script, at = self.scripts[mark], self.turns[mark]
            asked_again = said.read.count("had no visible output")
            if asked_again > self.asked_again.get(mark, 0):
                at -= 1  # Claude Code asks once more by itself
            self.asked_again[mark] = asked_again
            while True:
                actions = script[min(at, len(script) - 1)]
                made = [self.made(action, said) for action in actions]
                made = [item for item in made if item is not None]
                if made or not actions:
                    break
                at += 1  # this client has no use for it
            said.is_cut = any(isinstance(action, Say) and action.is_cut for action in actions)
            again = [item for item in made if isinstance(item, dict) and item.pop("again", False)]
            self.turns[mark] = at if again else at + 1
            return made

    def made(self, action, said):
        if isinstance(action, Fail):
            return action
        if isinstance(action, Tool):
            return action.made(said, self)
        if isinstance(action, HandIn):
            return self.hand_in(action.say, said)
        if isinstance(action, Say):
            action = self.said(action, said)
        return said.act(action, self)

    def said(self, action, said):
        text = action.text(said.read) if callable(action.text) else action.text
        return Say(text.replace("{PROJECT}", str(self.project)), action.is_text)

    def hand_in(self, say, said):
        """Each client names the tool of a server in its own way."""
        tool = next((name for name in said.tools if name.endswith("write_result")), None)
        if tool is None and "tool_call" in said.tools:
            message = {"message": self.said(say, said).text}
            return {**said.call("tool_call"), "input": {"name": "mcp__results__write_result", "arguments": message}}
        if tool is None:
            return {**said.call("ToolSearch", query="write_result", max_results=1), "again": True}
        return said.call(tool, message=self.said(say, said).text)

    def agent_ids(self, read):
        found = re.findall(r"agent_id\W+([0-9a-f]{8}-[0-9a-f-]{27})", read)
        names = [name for kind, name in self.scripts if kind == "agent"]
        return list(dict.fromkeys(found)) or names

    def agent_id(self, read):
        found = re.findall(r'agent(?:Id|_id): ([\w-]+)|task-id>([\w-]+)<|task id="(\w+)"', read.replace("\\", ""))
        return next((part for parts in found for part in parts if part), "unknown")


def serve(run):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.daemon_threads = True
    server.run = run
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
