import { join } from "node:path";
import { serverName } from "../server-entry.ts";
import type { Approval, ApprovalPlace } from "./approval.ts";
import { foldersAbove, mainWorktree } from "./folders-above.ts";
import { readClientFiles, valueAt, wordsAt } from "./read-client-file.ts";

type SettingsFile = ReturnType<typeof readClientFiles>["files"][number];

/** Claude Code asks for each folder, and for each server that a project names; it keeps the answers in these files. */
export function claudeCodeApprovals({ home, env, folder, server, hooks }: ApprovalPlace): Approval[] {
  const moved = env["CLAUDE_CONFIG_DIR"];
  const state = readClientFiles(home, [join(moved ?? home, ".claude.json")]);
  const settings = readClientFiles(home, [
    join(moved ?? join(home, ".claude"), "settings.json"),
    join(folder, ".claude/settings.json"),
    join(folder, ".claude/settings.local.json"),
  ]);
  const projects = valueAt(state.files[0]?.content, "projects");
  const folders = [...foldersAbove(folder), ...mainWorktree(folder, home)];
  const known = folders.map((each) => valueAt(projects, each.replaceAll("\\", "/")));
  const isTrusted = known.some((project) => valueAt(project, "hasTrustDialogAccepted") === true);
  const choices = [...settings.files.map(({ content }) => content), ...known];
  return [
    ...state.unread,
    ...settings.unread,
    // In the order in which it asks.
    ...(isTrusted || state.unread.length > 0 || !(hooks || server === "project") ? [] : [trustFolder]),
    ...(server === "project" ? serverApprovals(choices) : []),
    ...(known.some((project) => wordsAt(project, "disabledMcpServers").includes(serverName)) ? [switchedOff] : []),
    ...(hooks === undefined ? [] : settings.files.flatMap(hooksOff)),
    ...settings.files.flatMap(denials),
  ];
}

const trustFolder: Approval = {
  level: "note",
  says: "does not trust this folder yet; it asks when it starts here, and runs hooks only then",
  remedy: "Start “claude” here and choose “Yes, I trust this folder”.",
};

const switchedOff: Approval = {
  level: "problem",
  says: "the server is switched off for this project",
  remedy: `In Claude Code: /mcp, “${serverName}”, “Enable”.`,
};

/** Its dialog “New MCP server found in this project”. */
function serverApprovals(choices: readonly unknown[]): Approval[] {
  const names = (key: string) => choices.some((content) => wordsAt(content, key).includes(serverName));
  if (names("disabledMcpjsonServers")) {
    return [
      {
        level: "problem",
        says: "was told not to use the server of this project",
        remedy: "claude mcp reset-project-choices, then start “claude” here and choose “Use this MCP server”.",
      },
    ];
  }
  const all = choices.some((content) => valueAt(content, "enableAllProjectMcpServers") === true);
  if (all || names("enabledMcpjsonServers")) return [];
  return [
    {
      level: "note",
      says: "asks whether it may use the server of this project",
      remedy: "Start “claude” here and choose “Use this MCP server”.",
    },
  ];
}

function hooksOff({ shown, content }: SettingsFile): Approval[] {
  if (valueAt(content, "disableAllHooks") !== true) return [];
  return [
    {
      level: "problem",
      says: `runs no hooks, since ${shown} sets disableAllHooks`,
      remedy: `Remove “disableAllHooks” from ${shown}.`,
    },
  ];
}

/** Rules like `mcp__recollect` and `mcp__recollect__search_memory`; what is denied cannot be allowed elsewhere. */
function denials({ shown, content }: SettingsFile): Approval[] {
  const rules = wordsAt(content, "permissions", "deny").filter((rule) => isAboutUs(rule));
  if (rules.length === 0) return [];
  const isWhole = rules.some((rule) => !rule.startsWith(`mcp__${serverName}__`) || rule.endsWith("__*"));
  return [
    {
      level: isWhole ? "problem" : "note",
      says: `may not call ${rules.join(", ")}: ${shown} denies it`,
      remedy: `Remove the rule from “permissions.deny” in ${shown}, unless you want it so.`,
    },
  ];
}

function isAboutUs(rule: string): boolean {
  return rule === "mcp__*" || rule === `mcp__${serverName}` || rule.startsWith(`mcp__${serverName}__`);
}
