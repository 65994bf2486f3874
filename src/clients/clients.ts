import { documentedClients } from "./documented-clients.ts";
import type { JsonPath } from "./json-tree.ts";

/** The clients that `recollect init` knows, as data. Checked against the clients themselves in November 2026 … */
const verifiedNames = ["claude-code", "codex", "gemini-cli", "cursor", "opencode", "vscode"] as const;

/** … or against their documentation alone. */
const documentedNames = [
  "copilot-cli",
  "qwen-code",
  "windsurf",
  "zed",
  "junie",
  "amp",
  "kiro",
  "lm-studio",
  "antigravity",
  "roo-code",
  "claude-desktop",
] as const;

export const clientNames = [...verifiedNames, ...documentedNames] as const;

export type DocumentedName = (typeof documentedNames)[number];
export type ClientName = (typeof clientNames)[number];

/**
 * Whom a setup is for: the user in every project, the user in one project, or everyone who works on a project, through
 * files that a team commits.
 */
export type Scope = "user" | "project" | "shared";

/** What is written where. `~/` is the home folder, `~config/` the system's place for settings; else below the project. */
export interface ScopeFiles {
  readonly entry: string;
  readonly hooks?: string;
  /** A file of code, where the client takes its hooks as such. */
  readonly plugin?: string;
  readonly permission?: string;
  /** The folder of the client's skills. */
  readonly skills?: string;
}

export interface Client {
  readonly name: ClientName;
  /** As people call it. */
  readonly title: string;
  /** Whether it is known by more than a list of where its file lies: init takes only such clients by itself. Absent: yes. */
  readonly isVerified?: false;
  readonly format: "json" | "toml";
  /** The path to the object that holds the servers. */
  readonly holder: JsonPath;
  readonly files: { readonly [scope in Scope]?: ScopeFiles };
  /** The variables with which a user moves a folder of the client: what then stands in the place of the beginning. */
  readonly moves?: readonly (readonly [variable: string, from: string, to: string])[];
  /** How an entry says what to start: a command beside its arguments, the same with its transport, or one list. */
  readonly entryShape: "command" | "stdio" | "local" | "list";
  /** Keys that the client documents beside those. */
  readonly entryExtras?: { readonly [key: string]: boolean | readonly string[] };
  /** What a project's entry gives as --project. Absent: the absolute path, or none in a team's file. */
  readonly projectArgument?: string;
  /** The same in the user's own file, which serves every project. Absent: none, the server looks where it is started. */
  readonly userProjectArgument?: string;
  /** Whether it starts programs on Windows without looking for `npx.cmd`. */
  readonly needsWindowsShell: boolean;
  readonly evidence: {
    readonly inProject: readonly string[];
    readonly inHome: readonly string[];
    readonly commands: readonly string[];
  };
  /** What is left to the user, in the client's own words: `init` approves nothing in the user's name. */
  readonly steps: { readonly [scope in Scope]?: readonly string[] };
}

/** Filled in by editors. */
const workspaceFolder = `\${workspaceFolder}`;

const vscodeTrust = "Confirm that you trust the server recollect when VS Code asks as it starts it.";
const noHooks =
  "It has no hooks. recollect init --agents-md tells its agents in AGENTS.md when to search and to store.";
const online =
  "Start OpenCode once with the network on: it installs the package that plugins stand on, and waits for it.";

const verifiedClients: readonly Client[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    format: "json",
    holder: ["mcpServers"],
    files: {
      user: {
        entry: "~/.claude.json",
        hooks: "~/.claude/settings.json",
        permission: "~/.claude/settings.json",
        skills: "~/.claude/skills",
      },
      project: {
        entry: ".mcp.json",
        hooks: ".claude/settings.local.json",
        permission: ".claude/settings.local.json",
        skills: ".claude/skills",
      },
      shared: {
        entry: ".mcp.json",
        hooks: ".claude/settings.json",
        permission: ".claude/settings.json",
        skills: ".claude/skills",
      },
    },
    moves: [
      ["CLAUDE_CONFIG_DIR", "~/.claude.json", ".claude.json"],
      ["CLAUDE_CONFIG_DIR", "~/.claude/", ""],
    ],
    entryShape: "stdio",
    // It waits for the server then, up to five seconds: otherwise, on a busy machine with 10,000 notes, its first request
    // was seen without our instructions. The price is that it loads all of our tools, about 900 tokens more; what
    // `_meta` says of a tool counts only where a tool is to be loaded.
    entryExtras: { alwaysLoad: true },
    // It starts servers in the project, ignores "cwd", and has been seen to pass ${CLAUDE_PROJECT_DIR} on unexpanded.
    projectArgument: ".",
    needsWindowsShell: true,
    evidence: { inProject: [".mcp.json", ".claude", "CLAUDE.md"], inHome: [".claude"], commands: ["claude"] },
    steps: {
      user: ["Choose “Yes, I trust this folder” when it asks in a new project. It runs no hooks before."],
      project: [
        "Choose “Yes, I trust this folder” when it asks. It runs no hooks before.",
        "“New MCP server found in this project: recollect”: choose “Use this MCP server”.",
      ],
      shared: [
        "Choose “Yes, I trust this folder” when it asks. It runs no hooks before.",
        "“New MCP server found in this project: recollect”: choose “Use this MCP server”.",
      ],
    },
  },
  {
    name: "codex",
    title: "Codex",
    format: "toml",
    holder: ["mcp_servers"],
    files: {
      user: {
        entry: "~/.codex/config.toml",
        hooks: "~/.codex/hooks.json",
        permission: "~/.codex/config.toml",
        skills: "~/.codex/skills",
      },
      project: { entry: ".codex/config.toml", hooks: ".codex/hooks.json", permission: ".codex/config.toml" },
      shared: { entry: ".codex/config.toml", hooks: ".codex/hooks.json", permission: ".codex/config.toml" },
    },
    moves: [["CODEX_HOME", "~/.codex/", ""]],
    entryShape: "command",
    // It has no variable for the project, and its app starts servers elsewhere.
    needsWindowsShell: false,
    evidence: { inProject: [".codex"], inHome: [".codex"], commands: ["codex"] },
    steps: {
      user: [
        "“Hooks need review”: choose “Trust all and continue” when it asks, or see them in /hooks. It runs none before.",
      ],
      project: [
        "“Trust this folder?”: choose “Trust and continue” when it asks. It reads .codex only there.",
        "“Hooks need review”: choose “Trust all and continue” when it asks, or see them in /hooks. It runs none before.",
      ],
      shared: [
        "“Trust this folder?”: choose “Trust and continue” when it asks. It reads .codex only there.",
        "“Hooks need review”: choose “Trust all and continue” when it asks, or see them in /hooks. It runs none before.",
      ],
    },
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    format: "json",
    holder: ["mcpServers"],
    files: {
      user: {
        entry: "~/.gemini/settings.json",
        hooks: "~/.gemini/settings.json",
        permission: "~/.gemini/policies/recollect.toml",
        skills: "~/.gemini/skills",
      },
      // It reads policies of the user alone.
      project: { entry: ".gemini/settings.json", hooks: ".gemini/settings.json", skills: ".gemini/skills" },
      shared: { entry: ".gemini/settings.json", hooks: ".gemini/settings.json", skills: ".gemini/skills" },
    },
    moves: [["GEMINI_CLI_HOME", "~/.gemini/", ".gemini/"]],
    entryShape: "command",
    projectArgument: ".",
    needsWindowsShell: true,
    evidence: { inProject: [".gemini", "GEMINI.md"], inHome: [".gemini"], commands: ["gemini"] },
    steps: {
      user: ["“Do you trust the files in this folder?”: choose “Trust folder” when it asks in a new project."],
      project: [
        "“Do you trust the files in this folder?”: choose “Trust folder”. Gemini CLI reads .gemini only there.",
        "Gemini CLI asks before it calls a tool of recollect; choose “Always allow” for those that read and add.",
      ],
      shared: [
        "“Do you trust the files in this folder?”: choose “Trust folder”. Gemini CLI reads .gemini only there.",
        "Gemini CLI asks before it calls a tool of recollect; choose “Always allow” for those that read and add.",
      ],
    },
  },
  {
    name: "cursor",
    title: "Cursor",
    format: "json",
    holder: ["mcpServers"],
    files: {
      user: { entry: "~/.cursor/mcp.json", hooks: "~/.cursor/hooks.json" },
      project: { entry: ".cursor/mcp.json", hooks: ".cursor/hooks.json" },
      shared: { entry: ".cursor/mcp.json", hooks: ".cursor/hooks.json" },
    },
    entryShape: "stdio",
    // It may start servers in the home folder, but fills in this one.
    projectArgument: workspaceFolder,
    userProjectArgument: workspaceFolder,
    needsWindowsShell: true,
    evidence: { inProject: [".cursor"], inHome: [".cursor"], commands: ["cursor", "cursor-agent"] },
    steps: {
      user: ["Switch recollect on under Settings, Tools & MCP, and choose there which tools run without asking."],
      project: ["Switch recollect on under Settings, Tools & MCP, and choose there which tools run without asking."],
      shared: ["Switch recollect on under Settings, Tools & MCP, and choose there which tools run without asking."],
    },
  },
  {
    name: "opencode",
    title: "OpenCode",
    format: "json",
    holder: ["mcp"],
    files: {
      user: {
        entry: "~/.config/opencode/opencode.json",
        plugin: "~/.config/opencode/plugin/recollect.js",
        permission: "~/.config/opencode/opencode.json",
        skills: "~/.config/opencode/skills",
      },
      project: {
        entry: "opencode.json",
        plugin: ".opencode/plugin/recollect.js",
        permission: "opencode.json",
        skills: ".opencode/skills",
      },
      shared: {
        entry: "opencode.json",
        plugin: ".opencode/plugin/recollect.js",
        permission: "opencode.json",
        skills: ".opencode/skills",
      },
    },
    moves: [["XDG_CONFIG_HOME", "~/.config/opencode/", "opencode/"]],
    entryShape: "list",
    entryExtras: { enabled: true },
    projectArgument: ".",
    needsWindowsShell: true,
    evidence: {
      inProject: [".opencode", "opencode.json", "opencode.jsonc"],
      inHome: [".config/opencode"],
      commands: ["opencode"],
    },
    steps: {
      user: [online],
      project: [online],
      shared: [online],
    },
  },
  {
    name: "vscode",
    title: "VS Code",
    format: "json",
    holder: ["servers"],
    files: {
      user: { entry: "~config/Code/User/mcp.json" },
      project: { entry: ".vscode/mcp.json" },
      shared: { entry: ".vscode/mcp.json" },
    },
    entryShape: "stdio",
    projectArgument: workspaceFolder,
    userProjectArgument: workspaceFolder,
    needsWindowsShell: false,
    evidence: { inProject: [".vscode"], inHome: [".vscode"], commands: ["code"] },
    steps: {
      user: [vscodeTrust, noHooks],
      project: [vscodeTrust, noHooks],
      shared: [vscodeTrust],
    },
  },
];

export const clients: readonly Client[] = [...verifiedClients, ...documentedClients];
