import { join, sep } from "node:path";
import type { Client, ClientName } from "./clients.ts";
import { codeOf, readConfigFile, removeConfigFile, writeConfigFile } from "./config-file.ts";
import type { Edit } from "./edit.ts";
import { type FoundServers, isHarmless } from "./found-entry.ts";
import { putJsonEntry, readJsonServers, takeJsonEntry } from "./json-config.ts";
import { type Judgement, judgeEntry } from "./judge-entry.ts";
import { createServerEntry, type Launch, type ServerFlags, serverName } from "./server-entry.ts";
import { putTomlEntry, readTomlServers, takeTomlEntry } from "./toml-config.ts";
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
  /** The folders of PATH. */
  readonly searchPath: readonly string[];
  readonly flags: ServerFlags;
  /** The keys of an entry in a project's file that the user wants to stay, though they can change what is run. */
  readonly keeps?: readonly string[];
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
  /** The keys of the entry that are not ours, and stay. */
  readonly kept: readonly string[];
  /** Those that go, since they can change what is run or what is asked. */
  readonly dropped: readonly string[];
  /** The servers in the file that are Serena, on the same memories. */
  readonly serena: readonly string[];
  /** What is to be said of the entry that was found. */
  readonly found?: Judgement;
  /** Why it was refused. */
  readonly reason?: string;
}

export function planSetup(request: SetupRequest): FilePlan[] {
  const { scope, keeps = [] } = request;
  return plansOf(request, (client, text) => {
    const { serena, entry: found } = serversIn(client, text);
    const keys = found?.others.map(([key]) => key) ?? [];
    // A project's file comes with a clone, from whoever wrote it; the one at home is the user's own.
    const stays = (key: string) => scope === "user" || isHarmless(key) || keeps.includes(key);
    const dropped = keys.filter((key) => !stays(key));
    const entry = createServerEntry({ ...request, client });
    const put = client.format === "toml" ? putTomlEntry : putJsonEntry;
    return {
      edit: put(text ?? "", client.holder, entry, dropped),
      kept: keys.filter(stays),
      dropped,
      serena,
      ...(found === undefined ? {} : { found: judgeEntry(found, { ...request, client }) }),
    };
  });
}

/** The files without our entry; what never held one is left out of the plan. */
export function planRemoval(request: PlanRequest): FilePlan[] {
  const plans = plansOf(request, (client, text) => {
    // A broken file that never heard of us is none of our business.
    if (!text?.includes(serverName)) return { edit: { kind: "unchanged" }, ...nothingFound };
    const take = client.format === "toml" ? takeTomlEntry : takeJsonEntry;
    return { edit: take(text, client.holder), ...nothingFound };
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

type Found = Pick<FilePlan, "kept" | "dropped" | "serena" | "found">;

const nothingFound: Found = { kept: [], dropped: [], serena: [] };

function serversIn({ format, holder }: Client, text = ""): FoundServers {
  return (format === "toml" ? readTomlServers : readJsonServers)(text, holder);
}

function plansOf(
  { clients, scope, project, home }: PlanRequest,
  edit: (client: Client, text: string | undefined) => Found & { readonly edit: Edit },
): FilePlan[] {
  return clients.flatMap((client) => {
    const file = scope === "project" ? client.projectFile : client.userFile;
    if (file === undefined) return [];
    const base = scope === "project" ? project : home;
    return [planOf(client, base, file, scope === "project" ? file : join("~", file), (text) => edit(client, text))];
  });
}

function planOf(
  client: Client,
  base: string,
  file: string,
  shown: string,
  edit: (text: string | undefined) => Found & { readonly edit: Edit },
): FilePlan {
  const { name, title } = client;
  const read = readConfigFile(base, file);
  const before = read.kind === "present" ? read.text : undefined;
  const { edit: edited, ...found } = read.kind === "refused" ? { edit: read, ...nothingFound } : edit(before);
  const names = { client: name, title, shown: shown.replaceAll(sep, "/") };
  const plan = { ...names, base, file, before, replaces: false, ...found };
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
      const spans = serversIn(client, after).entry?.spans ?? [];
      return { ...plan, status, after, replaces, diff: unifiedDiff(before ?? "", after, spans) };
    }
  }
}
