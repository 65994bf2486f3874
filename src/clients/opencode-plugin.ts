/**
 * The file that OpenCode loads as a plugin: it hands events of a session to `recollect hook opencode` and puts the answer
 * in place. Plain JavaScript without dependencies, small enough for its user to read, and the same over releases but for
 * the command.
 */
export function openCodePlugin(command: readonly string[]): string {
  return `// Made by \`recollect init\`; \`recollect uninstall\` removes it.
// Hands events of a session to the command below, and puts its answer before the model. Whatever goes wrong there, the
// session goes on as if this file were not here.
import { spawn } from "node:child_process";

const command = ${JSON.stringify(command)};
${body}`;
}

const body = `const patienceMs = 5000;
const mostChars = 100000;
const watchedTools = /^(?:bash|shell|edit|write|multiedit|patch|apply_patch)$|(?:_memory|recall_context)$/;
// Only the terminal interface has a person; it is started without one of the words of other modes.
const otherModes = ["run", "serve", "web", "acp", "attach", "github", "pr"];
const isAttended = !process.argv.slice(2).some((word) => otherModes.includes(word));

export const Recollect = async ({ client, directory }) => {
  const parents = new Map();
  const waiting = new Map();
  const answers = new Map();
  const asked = new Set();
  const told = new Map();

  function ask(sessionID, name, fields = {}) {
    const event = { hook_event_name: name, session_id: sessionID, cwd: directory, is_attended: isAttended, ...fields };
    return run(JSON.stringify(event)).then((answer) => {
      if (answer.user_message && isAttended) show(answer.user_message);
      return answer;
    });
  }

  function show(message) {
    Promise.resolve(client.tui.showToast({ body: { message, variant: "info" } })).catch(() => {});
  }

  // What is said at a moment that takes no answer comes with whatever the model gets next.
  function later(sessionID, answer) {
    const before = waiting.get(sessionID);
    waiting.set(sessionID, Promise.all([before, answer]).then(([first, { additional_context }]) => join(first, additional_context)));
  }

  async function withWaiting(sessionID, answer) {
    const first = waiting.get(sessionID);
    waiting.delete(sessionID);
    return join(await first, (await answer).additional_context);
  }

  // At its first message, since the event \`session.created\` comes before or after that.
  async function begin(id) {
    if (parents.has(id)) return;
    parents.set(id, undefined);
    const { data } = await client.session.get({ path: { id } });
    const parent = data?.parentID;
    parents.set(id, parent);
    later(id, parent ? ask(parent, "subagent.created", { agent_id: id }) : ask(id, "session.created"));
  }

  async function onEvent({ type, properties = {} }) {
    const id = properties.sessionID ?? properties.info?.id;
    if (typeof id !== "string") return;
    if (type === "session.compacted" && !parents.get(id)) {
      later(id, ask(id, "session.compacted"));
    } else if (type === "session.idle" && !parents.get(id)) {
      const fields = { is_continued: asked.has(id), last_message: answers.get(id) ?? "" };
      const { followup_message: text } = await ask(id, "session.idle", fields);
      if (!text || !isAttended || asked.has(id)) return;
      asked.add(id);
      await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text, synthetic: true }] } });
    } else if (type === "session.deleted") {
      for (const all of [parents, waiting, answers, asked]) all.delete(id);
    }
  }

  return {
    event: safely(({ event }) => onEvent(event)),
    "chat.message": safely(async ({ sessionID }, { message, parts }) => {
      const prompt = parts
        .filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text)
        .join("\\n");
      await begin(sessionID).catch(() => {});
      const isOwn = prompt !== "" && !parents.get(sessionID);
      const answer = isOwn ? ask(sessionID, "chat.message", { prompt: prompt.slice(0, mostChars) }) : {};
      const text = await withWaiting(sessionID, answer);
      if (text) parts.push({ ...placeIn(sessionID, message.id), type: "text", text, synthetic: true });
    }),
    "tool.execute.after": safely(async ({ tool, sessionID, callID, args }, output) => {
      if (!watchedTools.test(tool)) return;
      const { exit } = output.metadata ?? {};
      const parent = parents.get(sessionID);
      const answer = ask(parent ?? sessionID, "tool.execute.after", {
        ...(parent ? { agent_id: sessionID } : {}),
        tool_name: tool,
        tool_input: args,
        tool_output: words(output).slice(-mostChars),
        has_failed: typeof exit === "number" ? exit !== 0 : output.isError === true,
      });
      const text = await withWaiting(sessionID, answer);
      if (text) told.set(callID, text);
    }),
    // The model alone gets it with the result: \`opencode run\` prints the result itself.
    "experimental.chat.messages.transform": safely(async (_, { messages }) => {
      for (const part of messages.flatMap(({ parts }) => parts)) {
        const text = part.type === "tool" && part.state.status === "completed" && told.get(part.callID);
        if (text && !part.state.output.endsWith(text)) part.state.output = join(part.state.output, text);
      }
      // After a compaction the client goes on by itself, without a message that could bring what waits.
      const asking = messages.findLast(({ info }) => info.role === "user");
      const text = asking && (await waiting.get(asking.info.sessionID));
      if (text) asking.parts.push({ ...placeIn(asking.info.sessionID, asking.info.id), type: "text", text, synthetic: true });
    }),
    "experimental.text.complete": safely(async ({ sessionID }, { text }) => {
      if (text) answers.set(sessionID, text.slice(0, 2000));
    }),
  };
};

function run(event) {
  return new Promise((resolve) => {
    const done = (text) => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(text) ?? {});
      } catch {
        resolve({});
      }
    };
    const timer = setTimeout(() => {
      child?.kill();
      done("{}");
    }, patienceMs);
    let child;
    let printed = "";
    try {
      child = spawn(command[0], command.slice(1), {
        stdio: ["pipe", "pipe", "ignore"],
        shell: process.platform === "win32",
        windowsHide: true,
      });
      child.on("error", () => done("{}"));
      child.on("close", () => done(printed || "{}"));
      child.stdout.on("data", (data) => (printed += data));
      child.stdin.on("error", () => {});
      child.stdin.end(event);
    } catch {
      done("{}");
    }
  });
}

function safely(handle) {
  return async (...given) => {
    try {
      await handle(...given);
    } catch {
      // A memory that fails is no reason for a session to.
    }
  };
}

function words({ output, content }) {
  if (typeof output === "string") return output;
  return Array.isArray(content) ? content.map(({ text }) => text ?? "").join("\\n") : "";
}

function join(...texts) {
  return texts.filter(Boolean).join("\\n\\n");
}

// After all that OpenCode itself made, as its ids sort by time.
function placeIn(sessionID, messageID) {
  return { id: "prt_zzzzzzzz" + Math.random().toString(36).slice(2, 14).padEnd(12, "0"), sessionID, messageID };
}
`;
