import { join, sep } from "node:path";
import type { Client, ClientName } from "./clients.ts";
import { codeOf, readConfigFile, removeConfigFile, writeConfigFile } from "./config-file.ts";
import type { Edit } from "./edit.ts";
import { putJsonEntry, takeJsonEntry } from "./json-config.ts";
import { createServerEntry, type Launch, type ServerFlags, serverName } from "./server-entry.ts";
import { putTomlEntry, takeTomlEntry } from "./toml-config.ts";
import { unifiedDiff } from "./unified-diff.ts";

type Scope = "project" | "user";

export interface PlanRequest {
  readonly clients: readonly Client[];
  readonly scope: Scope;
  readonly project: string;
  readonly home: string;
}

export interface SetupRequest extends PlanRequest {
  readonly launch: Launch;
  readonly platform: NodeJS.Platform;
  readonly flags: ServerFlags;
}

type FileStatus = "new" | "changed" | "unchanged" | "deleted" | "refused";

/** What would become of one file. Nothing is written before `applyFilePlan`. */
export interface FilePlan {
  readonly client: ClientName;
  readonly title: string;
  /** For people: below the project, or with ~. */
  readonly shown: string;
  readonly base: string;
  readonly file: string;
  readonly status: FileStatus;
  /** Whether an entry of ours that differs is replaced. */
  readonly replaces: boolean;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly diff: readonly string[];
  /** Why it was refused. */
  readonly reason?: string;
}

export function planSetup(request: SetupRequest): FilePlan[] {
  return plansOf(request, (client, text) => {
    const entry = createServerEntry({ ...request, client });
    const put = client.format === "toml" ? putTomlEntry : putJsonEntry;
    return put(text ?? "", client.holder, entry);
  });
}

/** The files without our entry; what never held one is left out of the plan. */
export function planRemoval(request: PlanRequest): FilePlan[] {
  const plans = plansOf(request, (client, text) => {
    // A broken file that never heard of us is none of our business.
    if (!text?.includes(serverName)) return { kind: "unchanged" };
    const take = client.format === "toml" ? takeTomlEntry : takeJsonEntry;
    return take(text, client.holder);
  });
  return plans.filter(({ status }) => status !== "unchanged");
}

/** Writes what was planned, unless the file has become another one since. Returns why not, in words. */
export function applyFilePlan({ base, file, before, after, status }: FilePlan): string | undefined {
  if (status === "unchanged" || status === "refused") return undefined;
  const current = readConfigFile(base, file);
  if (current.kind === "refused") return current.reason;
  if ((current.kind === "present" ? current.text : undefined) !== before)
    return "it has changed meanwhile; run this again";
  try {
    if (after === undefined) removeConfigFile(current.path, base);
    else writeConfigFile(current.path, after, current.kind === "present" ? current.mode : undefined);
    return undefined;
  } catch (error) {
    return `it cannot be written (${codeOf(error)})`;
  }
}

function plansOf(
  { clients, scope, project, home }: PlanRequest,
  edit: (client: Client, text: string | undefined) => Edit,
): FilePlan[] {
  return clients.flatMap((client) => {
    const file = scope === "project" ? client.projectFile : client.userFile;
    if (file === undefined) return [];
    const base = scope === "project" ? project : home;
    return [planOf(client, base, file, scope === "project" ? file : join("~", file), (text) => edit(client, text))];
  });
}

function planOf(
  { name, title }: Client,
  base: string,
  file: string,
  shown: string,
  edit: (text: string | undefined) => Edit,
): FilePlan {
  const found = readConfigFile(base, file);
  const before = found.kind === "present" ? found.text : undefined;
  const plan = { client: name, title, shown: shown.replaceAll(sep, "/"), base, file, before, replaces: false };
  const edited: Edit = found.kind === "refused" ? found : edit(before);
  switch (edited.kind) {
    case "refused":
      return { ...plan, status: "refused", after: before, diff: [], reason: edited.reason };
    case "unchanged":
      return { ...plan, status: "unchanged", after: before, diff: [] };
    case "emptied":
      return { ...plan, status: "deleted", after: undefined, diff: unifiedDiff(before ?? "", "") };
    case "changed": {
      const { text: after, replaces } = edited;
      const status = before === undefined ? "new" : "changed";
      return { ...plan, status, after, replaces, diff: unifiedDiff(before ?? "", after) };
    }
  }
}
