import { dirname, join, relative } from "node:path";
import { serverName } from "../server-entry.ts";
import type { Approval, ApprovalPlace } from "./approval.ts";
import { foldersAbove } from "./folders-above.ts";
import { readClientFiles, shownPath, valueAt, wordsAt } from "./read-client-file.ts";

/**
 * Gemini CLI loads no MCP server and no hook in a folder that it does not trust, those of the user included. Hooks of
 * a project need no word of their own: it warns of them once, and runs them.
 */
export function geminiCliApprovals({ home, env, folder, hooks }: ApprovalPlace): Approval[] {
  const own = join(env["GEMINI_CLI_HOME"] ?? home, ".gemini");
  const userFile = join(own, "settings.json");
  const settings = readClientFiles(home, [userFile, join(folder, ".gemini/settings.json")]);
  const enablement = readClientFiles(home, [join(own, "mcp-server-enablement.json")]);
  const trusted = readClientFiles(home, [env["GEMINI_CLI_TRUSTED_FOLDERS_PATH"] ?? join(own, "trustedFolders.json")]);
  const chosen = settings.files.find(({ shown }) => shown === shownPath(userFile, home))?.content;
  const asksForTrust = valueAt(chosen, "security", "folderTrust", "enabled") !== false;
  return [
    ...settings.unread,
    ...enablement.unread,
    ...trusted.unread,
    ...settings.files.flatMap(serverOff),
    ...(valueAt(enablement.files[0]?.content, serverName, "enabled") === false ? [switchedOff] : []),
    ...(hooks === undefined ? [] : settings.files.flatMap(hooksOff)),
    ...(asksForTrust && trusted.unread.length === 0 ? folderTrust(folder, trusted.files[0]?.content) : []),
  ];
}

type SettingsFile = ReturnType<typeof readClientFiles>["files"][number];

const switchedOff: Approval = {
  level: "problem",
  says: "the server is switched off",
  remedy: `gemini mcp enable ${serverName}`,
};

function serverOff({ shown, content }: SettingsFile): Approval[] {
  const isOurs = (name: string) => name.trim().toLowerCase() === serverName;
  const allowed = wordsAt(content, "mcp", "allowed");
  if (wordsAt(content, "mcp", "excluded").some(isOurs)) {
    const remedy = `Remove “${serverName}” from “mcp.excluded” in ${shown}.`;
    return [{ level: "problem", says: `may not use the server: ${shown} excludes it`, remedy }];
  }
  if (allowed.length === 0 || allowed.some(isOurs)) return [];
  const remedy = `Add “${serverName}” to “mcp.allowed” in ${shown}.`;
  return [
    { level: "problem", says: `may use only the servers that ${shown} allows, and this is none of them`, remedy },
  ];
}

function hooksOff({ shown, content }: SettingsFile): Approval[] {
  if (valueAt(content, "hooksConfig", "enabled") === false) {
    const remedy = `Remove “hooksConfig.enabled” from ${shown}.`;
    return [{ level: "problem", says: `runs no hooks, since ${shown} switches them off`, remedy }];
  }
  const name = wordsAt(content, "hooksConfig", "disabled").find((each) => each.includes(serverName));
  if (name === undefined) return [];
  const remedy = `In Gemini CLI: /hooks enable ${name}`;
  return [{ level: "problem", says: `does not run the hook “${name}”, since ${shown} disables it`, remedy }];
}

/** The longest path that holds the folder decides, as in Gemini CLI. */
function folderTrust(folder: string, rules: unknown): Approval[] {
  const deciding = Object.entries(typeof rules === "object" && rules !== null ? rules : {})
    .filter(([path, level]) => covers(level === "TRUST_PARENT" ? dirname(path) : path, folder))
    .toSorted(([one], [other]) => other.length - one.length)[0];
  const level = deciding?.[1];
  if (level === "TRUST_FOLDER" || level === "TRUST_PARENT") return [];
  if (level === "DO_NOT_TRUST") {
    const says = "was told not to trust this folder, and uses no MCP server and no hook here";
    return [{ level: "problem", says, remedy: "Start “gemini” here: /permissions trust" }];
  }
  const says = "does not trust this folder yet; it asks when it starts here, and uses Recollect only then";
  return [{ level: "note", says, remedy: "Start “gemini” here and choose “Trust folder”." }];
}

function covers(path: string, folder: string): boolean {
  return foldersAbove(folder).some((each) => relative(each, path) === "");
}
