import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isOurHook } from "../client-hooks.ts";
import { serverName } from "../server-entry.ts";
import { parseTomlString, readStatements } from "../toml-statements.ts";
import type { Approval, ApprovalPlace } from "./approval.ts";
import { folderAndRepository } from "./folders-above.ts";
import { readClientJson, readClientText, shownPath, unreadable, valueAt } from "./read-client-file.ts";

/**
 * Codex runs a hook only while its hash is the one that the user trusted, and says nothing of those that it leaves
 * out. It reads the `.codex` of a project only where it trusts that.
 */
export function codexApprovals({ home, env, folder, server, hooks }: ApprovalPlace): Approval[] {
  const ownFolder = env["CODEX_HOME"] ?? join(home, ".codex");
  const file = join(ownFolder, "config.toml");
  const own = readToml(file);
  if (own.kind === "unreadable") return [unreadable(shownPath(file, home), own.reason)];
  const told = own.kind === "read" ? own.content : [];
  const shown = shownPath(server === "project" ? join(folder, ".codex/config.toml") : file, home);
  const naming = server === "project" ? readToml(join(folder, ".codex/config.toml")) : own;
  const isOff = naming.kind === "read" && sourceAt(naming.content, "mcp_servers", serverName, "enabled") === "false";
  const hasProjectFiles = server === "project" || hooks === "project";
  return [
    ...(isOff ? [switchedOff(shown)] : []),
    ...(hasProjectFiles ? projectTrust(told, folderAndRepository(folder, home)) : []),
    ...(hooks === undefined ? [] : hookTrust(told, hooks === "user" ? ownFolder : join(folder, ".codex"), home)),
  ];
}

interface Told {
  readonly path: readonly string[];
  readonly source: string;
}

function readToml(file: string) {
  const read = readClientText(file);
  if (read.kind !== "read") return read;
  const statements = readStatements(read.content);
  if ("reason" in statements) return { kind: "unreadable" as const, reason: statements.reason };
  const content: Told[] = statements
    .filter(({ kind }) => kind === "pair")
    .map(({ path, value }) => ({ path, source: read.content.slice(value.start, value.end) }));
  return { kind: "read" as const, content };
}

function sourceAt(told: readonly Told[], ...keys: readonly string[]): string | undefined {
  return told.find(({ path }) => path.length === keys.length && path.every((key, index) => key === keys[index]))
    ?.source;
}

function switchedOff(shown: string): Approval {
  const remedy = `Remove “enabled = false” from [mcp_servers.${serverName}] in ${shown}.`;
  return { level: "problem", says: `the server is switched off in ${shown}`, remedy };
}

function projectTrust(told: readonly Told[], folders: readonly string[]): Approval[] {
  const levels = folders.map((each) => sourceAt(told, "projects", each, "trust_level"));
  const level = parseTomlString(levels.find((each) => each !== undefined) ?? "");
  if (level === "trusted") return [];
  if (level === undefined) {
    const says =
      "does not trust this project yet; it asks when it starts here, and reads the project's .codex only then";
    return [{ level: "note", says, remedy: "Start “codex” here and choose “Trust and continue”." }];
  }
  const says = "was told not to trust this project, and does not read its .codex";
  return [{ level: "problem", says, remedy: "Set trust_level of this project in ~/.codex/config.toml to “trusted”." }];
}

/** Whether our hooks in `hooks.json` are those that the user trusted. */
function hookTrust(told: readonly Told[], codexFolder: string, home: string): Approval[] {
  const off = sourceAt(told, "features", "hooks") === "false";
  if (off) {
    const remedy = "Remove “hooks = false” from [features] in ~/.codex/config.toml.";
    return [{ level: "problem", says: "runs no hooks, since ~/.codex/config.toml switches them off", remedy }];
  }
  const file = join(codexFolder, "hooks.json");
  const read = readClientJson(file);
  if (read.kind === "unreadable") return [unreadable(shownPath(file, home), read.reason)];
  if (read.kind === "absent") return [];
  const sources = [file, ...(existsSync(file) ? [realpathSync(file)] : [])];
  const states = ourHandlers(read.content).map(({ key, hash }) => {
    const stateOf = (name: string) =>
      sources.map((source) => sourceAt(told, "hooks", "state", `${source}:${key}`, name)).find((each) => each);
    const trusted = parseTomlString(stateOf("trusted_hash") ?? "");
    if (stateOf("enabled") === "false") return "off" as const;
    return trusted === hash ? ("trusted" as const) : trusted === undefined ? ("new" as const) : ("changed" as const);
  });
  const count = (state: (typeof states)[number]) => states.filter((each) => each === state).length;
  return [
    ...needReview(
      count("new"),
      states.length,
      "does not run",
      "it leaves them out without a word until you trust them",
    ),
    ...needReview(count("changed"), states.length, "no longer runs", "they changed since you trusted them"),
    ...(count("off") === 0
      ? []
      : [{ level: "problem" as const, says: `has ${count("off")} of our hooks switched off`, remedy: review }]),
  ];
}

const review = "Start “codex” and choose “Trust all and continue” under “Hooks need review”, or see them in /hooks.";

function needReview(count: number, all: number, does: string, why: string): Approval[] {
  if (count === 0) return [];
  const which = count === all ? "the hooks of Recollect" : `${count} of the ${all} hooks of Recollect`;
  return [{ level: "note", says: `${does} ${which}: ${why}`, remedy: review }];
}

/** Those events have no matcher; what a file gives them does not count. */
const withoutMatcher = ["UserPromptSubmit", "Stop", "SessionEnd"];

/** With the key under which Codex notes what the user said of it, and the hash of what they said it of. */
function ourHandlers(file: unknown): { readonly key: string; readonly hash: string }[] {
  const events = valueAt(file, "hooks");
  return Object.entries(typeof events === "object" && events !== null ? events : {}).flatMap(([event, groups]) => {
    const name = event.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
    return listOf(groups).flatMap((group, at) => {
      const given = withoutMatcher.includes(event) ? undefined : valueAt(group, "matcher");
      const matcher = typeof given === "string" ? given : undefined;
      return listOf(valueAt(group, "hooks")).flatMap((handler, index) =>
        isOurHook(handler) ? [{ key: `${name}:${at}:${index}`, hash: hashOf(event, name, matcher, handler) }] : [],
      );
    });
  });
}

/** As Codex 0.169 makes it: of the handler with its defaults, as JSON with sorted keys and nothing that is unset. */
function hashOf(event: string, name: string, matcher: string | undefined, handler: unknown): string {
  const isEnd = event === "SessionEnd";
  const given = valueAt(handler, "timeout");
  const timeout = Math.max(1, typeof given === "number" ? given : isEnd ? 1 : 600);
  const message = valueAt(handler, "statusMessage");
  const limit = valueAt(handler, "additionalContextLimit");
  const isHeard = !["Stop", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd"].includes(event);
  const command = valueAt(handler, process.platform === "win32" ? "commandWindows" : "command");
  const identity = {
    event_name: name,
    hooks: [
      {
        ...(typeof limit === "number" && isHeard ? { additionalContextLimit: limit } : {}),
        async: valueAt(handler, "async") === true,
        command: command ?? valueAt(handler, "command"),
        ...(typeof message === "string" ? { statusMessage: message } : {}),
        timeout: isEnd ? Math.min(3, timeout) : timeout,
        type: "command",
      },
    ],
    ...(matcher === undefined ? {} : { matcher }),
  };
  return `sha256:${createHash("sha256").update(JSON.stringify(identity)).digest("hex")}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
