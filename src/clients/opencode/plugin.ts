// Written by `retval hook install opencode`, which replaces it as a whole: it lets `retval hook` instruct
// agents, ask them for their returns again, and tell their callers.
import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const COMMAND = {COMMAND}
const TIMEOUT = 10_000 // milliseconds, for each call of the hook
const ASKED_AT_MOST = 16 // the hook decides; this is only a bound

/** The answer of the hook. Without one, as without retval, the work goes on. */
const hook = (payload, cwd) =>
  new Promise((resolve) => {
    const child = spawn(COMMAND, { cwd, shell: true, timeout: TIMEOUT, stdio: ["pipe", "pipe", "ignore"] })
    let text = ""
    child.stdout.on("data", (part) => (text += part))
    child.stdin.on("error", () => {})
    child.on("error", () => resolve({}))
    child.on("close", () => {
      try {
        resolve(JSON.parse(text))
      } catch {
        resolve({})
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })

/** Calls the hook with the record of an agent in a file, as opencode exports it. */
const withRecord = async (client, id, call) => {
  const [info, messages] = await Promise.all([
    client.session.get({ path: { id } }),
    client.session.messages({ path: { id } }),
  ]).catch(() => [])
  if (!info?.data || !messages?.data) return call()
  const folder = await mkdtemp(join(tmpdir(), "retval-"))
  const record = join(folder, "session.json")
  try {
    await writeFile(record, JSON.stringify({ info: info.data, messages: messages.data }), { mode: 0o600 })
    return await call(record)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const Retval = async ({ client, directory }) => {
  const prompts = new Map() // of delegations, as the caller wrote them
  const note = (message) => client.app.log({ body: { service: "retval", level: "warn", message } }).catch(() => {})
  return {
    "tool.execute.before": async (input, output) => {
      if (input.tool !== "task") return
      const { prompt, subagent_type, task_id } = output.args
      prompts.set(input.callID, prompt)
      const answer = await hook({
        hook_event_name: "tool.execute.before",
        session_id: input.sessionID,
        cwd: directory,
        agent_id: task_id,
        agent_type: subagent_type,
        tool_input: { prompt },
      }, directory)
      if (answer.prompt) output.args.prompt = answer.prompt
      if (answer.note) await note(answer.note)
    },
    "tool.execute.after": async (input, output) => {
      if (input.tool !== "task") return
      const prompt = prompts.get(input.callID)
      prompts.delete(input.callID)
      const id = output.metadata?.sessionId
      const found = output.output?.match(/^<task [^>]*state="completed"[^>]*>\s*<task_result>\n?([\s\S]*?)\n?<\/task_result>/)
      if (!id || !found) return
      const agent = input.args?.subagent_type
      let text = found[1]
      for (let times = 0; times < ASKED_AT_MOST; times++) {
        const answer = await withRecord(client, id, (record) => hook({
          hook_event_name: "tool.execute.after",
          agent_transcript_path: record,
          session_id: input.sessionID,
          cwd: directory,
          agent_id: id,
          agent_type: agent,
          tool_input: { prompt },
          loop_count: times,
          last_assistant_message: text,
        }, directory))
        if (answer.note) await note(answer.note)
        if (answer.result) text = answer.result
        if (!answer.ask_again) break
        const parts = [{ type: "text", text: answer.ask_again }]
        const again = await client.session.prompt({ path: { id }, body: { agent, parts } }).catch(() => undefined)
        const last = again?.data?.parts?.filter((part) => part.type === "text").pop()?.text
        if (!again?.data || again.data.info?.error) {
          text += `\n\nThe return of ${agent} is invalid, and it could not be asked again; do not rely on it.\n${answer.ask_again}`
          break
        }
        text = last ?? ""
      }
      if (text !== found[1]) output.output = output.output.replace(found[1], () => text)
    },
  }
}
