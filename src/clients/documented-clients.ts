import type { Client, DocumentedName, ScopeFiles } from "./clients.ts";

/** A client whose files are known from its documentation alone: nobody has run it here. */
interface DocumentedRow {
  readonly name: DocumentedName;
  readonly title: string;
  readonly user?: string;
  readonly project?: string;
  readonly holder?: string;
  readonly entryShape?: Client["entryShape"];
  readonly entryExtras?: Client["entryExtras"];
  /** What shows that it is there, below the home folder or `~config`. */
  readonly evidence: string;
}

const rows: readonly DocumentedRow[] = [
  {
    name: "copilot-cli",
    title: "Copilot CLI",
    user: "~/.copilot/mcp-config.json",
    entryShape: "local",
    entryExtras: { tools: ["*"] },
    evidence: ".copilot",
  },
  {
    name: "qwen-code",
    title: "Qwen Code",
    user: "~/.qwen/settings.json",
    project: ".qwen/settings.json",
    evidence: ".qwen",
  },
  { name: "windsurf", title: "Windsurf", user: "~/.codeium/windsurf/mcp_config.json", evidence: ".codeium/windsurf" },
  {
    name: "zed",
    title: "Zed",
    user: "~/.config/zed/settings.json",
    project: ".zed/settings.json",
    holder: "context_servers",
    evidence: ".config/zed",
  },
  { name: "junie", title: "Junie", user: "~/.junie/mcp/mcp.json", project: ".junie/mcp/mcp.json", evidence: ".junie" },
  {
    name: "amp",
    title: "Amp",
    user: "~/.config/amp/settings.json",
    project: ".amp/settings.json",
    holder: "amp.mcpServers",
    evidence: ".config/amp",
  },
  {
    name: "kiro",
    title: "Kiro",
    user: "~/.kiro/settings/mcp.json",
    project: ".kiro/settings/mcp.json",
    evidence: ".kiro",
  },
  { name: "lm-studio", title: "LM Studio", user: "~/.lmstudio/mcp.json", evidence: ".lmstudio" },
  {
    name: "antigravity",
    title: "Antigravity",
    user: "~/.gemini/antigravity/mcp_config.json",
    evidence: ".gemini/antigravity",
  },
  { name: "roo-code", title: "Roo Code", project: ".roo/mcp.json", evidence: ".roo" },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    user: "~config/Claude/claude_desktop_config.json",
    evidence: "Library/Application Support/Claude",
  },
];

const check = "See in its settings that the server recollect is on; its files are only documented, not tried by us.";

export const documentedClients: readonly Client[] = rows.map(
  ({ name, title, user, project, holder = "mcpServers", entryShape = "command", entryExtras, evidence }): Client => ({
    name,
    title,
    isVerified: false,
    format: "json",
    holder: [holder],
    files: { ...filesFor("user", user), ...filesFor("project", project), ...filesFor("shared", project) },
    entryShape,
    ...(entryExtras === undefined ? {} : { entryExtras }),
    needsWindowsShell: true,
    evidence: { inProject: [], inHome: [evidence], commands: [] },
    steps: { user: [check], project: [check], shared: [check] },
  }),
);

function filesFor(scope: string, entry: string | undefined): { readonly [scope: string]: ScopeFiles } {
  return entry === undefined ? {} : { [scope]: { entry } };
}
