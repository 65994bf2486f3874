/**
 * The clients that `recollect init` knows, as data. Checked against their documentation in November 2026:
 * all five read a file in the project, so none needs the user's own.
 */
export const clientNames = ["claude-code", "cursor", "vscode", "codex", "gemini-cli"] as const;

export type ClientName = (typeof clientNames)[number];

export interface Client {
  readonly name: ClientName;
  /** As people call it. */
  readonly title: string;
  readonly format: "json" | "toml";
  /** The key that holds the servers. */
  readonly holder: string;
  /** Below the project. */
  readonly projectFile: string;
  /** Below the home folder; absent where it is no file that others may edit safely. */
  readonly userFile?: string;
  /** Whether an entry names its transport. */
  readonly namesTransport: boolean;
  /** What a project's entry gives as --project. Absent: the absolute path. */
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
  /** What a user must know besides the file in the project. */
  readonly remark?: string;
}

/** Filled in by editors. */
const workspaceFolder = `\${workspaceFolder}`;

export const clients: readonly Client[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    format: "json",
    holder: "mcpServers",
    projectFile: ".mcp.json",
    namesTransport: true,
    // It starts servers in the project, ignores "cwd", and has been seen to pass ${CLAUDE_PROJECT_DIR} on unexpanded.
    projectArgument: ".",
    needsWindowsShell: true,
    evidence: { inProject: [".mcp.json", ".claude", "CLAUDE.md"], inHome: [".claude"], commands: ["claude"] },
    remark: "asks once whether it may use the server of this project",
  },
  {
    name: "cursor",
    title: "Cursor",
    format: "json",
    holder: "mcpServers",
    projectFile: ".cursor/mcp.json",
    userFile: ".cursor/mcp.json",
    namesTransport: true,
    // It may start servers in the home folder, but fills in this one.
    projectArgument: workspaceFolder,
    userProjectArgument: workspaceFolder,
    needsWindowsShell: true,
    evidence: { inProject: [".cursor"], inHome: [".cursor"], commands: ["cursor", "cursor-agent"] },
  },
  {
    name: "vscode",
    title: "VS Code",
    format: "json",
    holder: "servers",
    projectFile: ".vscode/mcp.json",
    namesTransport: true,
    projectArgument: workspaceFolder,
    needsWindowsShell: false,
    evidence: { inProject: [".vscode"], inHome: [".vscode"], commands: ["code"] },
  },
  {
    name: "codex",
    title: "Codex",
    format: "toml",
    holder: "mcp_servers",
    projectFile: ".codex/config.toml",
    userFile: ".codex/config.toml",
    namesTransport: false,
    // It has no variable for the project, and its app starts servers elsewhere.
    needsWindowsShell: false,
    evidence: { inProject: [".codex"], inHome: [".codex"], commands: ["codex"] },
    remark: "reads this file only in projects that it trusts; it asks when it starts there",
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    format: "json",
    holder: "mcpServers",
    projectFile: ".gemini/settings.json",
    userFile: ".gemini/settings.json",
    namesTransport: false,
    projectArgument: ".",
    needsWindowsShell: true,
    evidence: { inProject: [".gemini", "GEMINI.md"], inHome: [".gemini"], commands: ["gemini"] },
  },
];
