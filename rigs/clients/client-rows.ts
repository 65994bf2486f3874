import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { trustCodexHooks } from "./codex-trust.ts";
import type { ToolCall } from "./model-script.ts";

export const clientIds = ["claude-code", "codex", "gemini-cli", "opencode"] as const;
export type ClientId = (typeof clientIds)[number];

/** Where a client runs. */
export interface Place {
  readonly home: string;
  readonly project: string;
  /** Where the fake model listens. */
  readonly model: string;
  /** The folder into which npm installed the clients. */
  readonly prefix: string;
}

/** How a client is started, without any flag that skips a permission. */
export interface ClientRow {
  readonly id: ClientId;
  readonly package: string;
  readonly binary: string;
  /** What a user of this client has before Recollect: the endpoint of the model, and leave to run `./check`. */
  prepare(place: Place): void;
  /** The steps that `recollect init` leaves to the user, done as the client's own dialog does them. */
  trust(place: Place, env: NodeJS.ProcessEnv): Promise<void> | void;
  env(place: Place): Readonly<Record<string, string>>;
  /** How its model runs a command in a shell. */
  shell(command: string): ToolCall;
  /** How its model gives a task to a subagent. Absent: no hook sees one begin. */
  delegate?(task: string): ToolCall;
  /** What makes it shorten a conversation: a prompt, or a model that says that its context is full. Absent: no hook sees it. */
  readonly compaction?: { readonly prompt: string } | "full";
  /** What its screen shows once it takes a prompt. */
  readonly ready: RegExp;
  /** One prompt, unattended; continued: in the session of the prompt before. */
  printed(prompt: string, isContinued: boolean): readonly string[];
  /** One prompt as a program gives it that reads the client's events, one JSON document a line. */
  streamed(prompt: string): { readonly args: readonly string[]; readonly input?: string };
}

const claudeCode: ClientRow = {
  id: "claude-code",
  package: "@anthropic-ai/claude-code",
  binary: "claude",
  prepare: ({ home, project }) => {
    // As its first start leaves it, with the key of the environment approved.
    changeJson(join(home, ".claude.json"), () => ({
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: ["fake"], rejected: [] },
      projects: { [project]: { allowedTools: [], hasCompletedProjectOnboarding: true } },
    }));
    changeJson(join(home, ".claude/settings.json"), () => ({ permissions: { allow: ["Bash(./check:*)"] } }));
  },
  trust: ({ home, project }) =>
    changeJson(join(home, ".claude.json"), (state) => {
      const projects = state["projects"] as Record<string, object> | undefined;
      return {
        ...state,
        projects: { ...projects, [project]: { ...projects?.[project], hasTrustDialogAccepted: true } },
      };
    }),
  env: ({ model }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: "fake",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  printed: (prompt, isContinued) => ["-p", ...(isContinued ? ["--continue"] : []), prompt],
  // Its SDK starts it like this.
  streamed: (prompt) => ({
    args: ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
    input: `${JSON.stringify({ type: "user", message: { role: "user", content: [{ type: "text", text: prompt }] } })}\n`,
  }),
  shell: (command) => ({ name: "Bash", input: { command, description: "Runs it" } }),
  delegate: (prompt) => ({
    name: "Agent",
    input: { description: "Counts steps", prompt, subagent_type: "general-purpose" },
  }),
  compaction: { prompt: "/compact" },
  ready: /^❯/m,
};

const codex: ClientRow = {
  id: "codex",
  package: "@openai/codex",
  binary: "codex",
  prepare: ({ home, project, model }) =>
    write(
      join(home, ".codex/config.toml"),
      `model = "fake"
model_provider = "fake"
check_for_update_on_startup = false
model_auto_compact_token_limit = 150000
[model_providers.fake]
name = "fake"
base_url = "${model}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
[projects."${project}"]
trust_level = "trusted"
`,
    ),
  trust: (place, env) => trustCodexHooks(binaryOf(codex, place.prefix), place.project, env),
  env: () => ({ FAKE_KEY: "fake" }),
  printed: (prompt, isContinued) => (isContinued ? ["exec", "resume", "--last", prompt] : ["exec", prompt]),
  streamed: (prompt) => ({ args: ["exec", "--json", prompt] }),
  shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
  delegate: (message) => ({ name: "multi_agent_v1__spawn_agent", input: { message } }),
  compaction: "full",
  ready: /Ask Codex to do anything/,
};

const geminiCli: ClientRow = {
  id: "gemini-cli",
  package: "@google/gemini-cli",
  binary: "gemini",
  prepare: ({ home }) =>
    changeJson(join(home, ".gemini/settings.json"), () => ({
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      tools: { allowed: ["run_shell_command(./check)"] },
    })),
  // The user's answer to the dialog that asks whether to trust the folder.
  trust: ({ home, project }) =>
    changeJson(join(home, ".gemini/trustedFolders.json"), (folders) => ({ ...folders, [project]: "TRUST_FOLDER" })),
  env: ({ model }) => ({ GEMINI_API_KEY: "fake", GOOGLE_GEMINI_BASE_URL: model, GEMINI_MODEL: "gemini-2.5-pro" }),
  printed: (prompt, isContinued) => [...(isContinued ? ["--resume", "latest"] : []), "-p", prompt],
  streamed: (prompt) => ({ args: ["--output-format", "stream-json", "-p", prompt] }),
  shell: (command) => ({ name: "run_shell_command", input: { command, description: "Runs it" } }),
  ready: /Type your message/,
};

const opencode: ClientRow = {
  id: "opencode",
  package: "opencode-ai",
  binary: "opencode",
  prepare: ({ home, model }) =>
    changeJson(join(home, ".config/opencode/opencode.json"), () => ({
      $schema: "https://opencode.ai/config.json",
      model: "anthropic/claude-sonnet-4-5",
      provider: { anthropic: { options: { baseURL: `${model}/v1`, apiKey: "fake" } } },
    })),
  // With the network, its first start installs this beside its plugins; without, it would wait for it.
  trust: ({ home, prefix }) => {
    const [from, to] = [join(prefix, "opencode-config"), join(home, ".config/opencode")];
    if (existsSync(join(to, "node_modules"))) return;
    for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(from, name), join(to, name));
    symlinkSync(join(from, "node_modules"), join(to, "node_modules"));
  },
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1" }),
  printed: (prompt, isContinued) => ["run", ...(isContinued ? ["--continue"] : []), prompt],
  streamed: (prompt) => ({ args: ["run", "--format", "json", prompt] }),
  shell: (command) => ({ name: "bash", input: { command, description: "Runs it" } }),
  delegate: (prompt) => ({ name: "task", input: { description: "Counts steps", prompt, subagent_type: "general" } }),
  compaction: "full",
  ready: /Ask anything/,
};

export const clientRows: readonly ClientRow[] = [claudeCode, codex, geminiCli, opencode];

export function binaryOf({ binary }: Pick<ClientRow, "binary">, prefix: string): string {
  return join(prefix, "node_modules/.bin", binary);
}

type Json = Readonly<Record<string, unknown>>;

function changeJson(path: string, change: (before: Json) => Json): void {
  const before = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Json) : {};
  write(path, JSON.stringify(change(before), undefined, 2));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
