import { realpathSync } from "node:fs";
import { answerText } from "../../src/hooks/process.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";

type Event = Readonly<Record<string, unknown>>;

export interface HookWorld extends MemoryWorld {
  /** What the client is answered, parsed; undefined for nothing. */
  answer(client: string, event: Event, env?: NodeJS.ProcessEnv): Promise<Event | undefined>;
  /** One event of Claude Code with a person at it: what the model gets, and what the person sees. */
  claude(name: string, fields?: Event, env?: NodeJS.ProcessEnv): Promise<{ context?: string; notice?: string }>;
  note(name: string, text: string): Promise<void>;
  lesson(name: string, fields: { title: string; problem?: string; solution: string; date?: string }): Promise<void>;
}

export function hookWorld(folder: string): HookWorld {
  const world = memoryWorld(realpathSync(folder));
  const answer: HookWorld["answer"] = async (client, event, env = {}) => {
    const text = JSON.stringify({ session_id: "s1", cwd: world.project, ...event });
    const user = { env: { ...world.env, ...env }, home: world.home, platform: process.platform };
    const printed = await answerText(Buffer.from(text), client, user);
    return printed === undefined ? undefined : JSON.parse(printed);
  };
  return {
    ...world,
    answer,
    claude: async (name, fields = {}, env = {}) => {
      const attended = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ATTENDED: "1", ...env };
      const said = await answer("claude-code", { hook_event_name: name, prompt_id: "p", ...fields }, attended);
      const specific = said?.["hookSpecificOutput"] as { additionalContext?: string } | undefined;
      return {
        ...(specific?.additionalContext === undefined ? {} : { context: specific.additionalContext }),
        ...(said?.["systemMessage"] === undefined ? {} : { notice: String(said["systemMessage"]) }),
      };
    },
    note: async (name, text) => {
      const { code, err } = await world.cli(["memories", "write", name, "--content", text]);
      if (code !== 0) throw new Error(err);
    },
    lesson: async (name, { title, problem = "It broke.", solution, date }) => {
      const fields = ["--title", title, "--context", "main", "--problem", problem, "--solution", solution];
      const [topic = "", subtopic = ""] = name.split("/");
      const args = ["topics", "store", topic, subtopic, ...fields, ...(date ? ["--date", date] : [])];
      const { code, err } = await world.cli(args);
      if (code !== 0) throw new Error(err);
    },
  };
}
