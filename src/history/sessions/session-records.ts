import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../../backends/files/make-folders.ts";
import { onOneLine } from "../../search/recall/one-line.ts";
import { nearestProject } from "../../settings/nearest-project.ts";
import { projectKey } from "../../settings/recall-consent.ts";
import { sessionLogsFolder, sessionRecordsFolder, type UserPlace } from "../../settings/user-folders.ts";
import { createUserHash, type UserHash } from "../../settings/user-hash.ts";
import { appendLine, readLines } from "./line-log.ts";

/** One session of an agent, in the words of the person and the agent (USE-14). */
export interface SessionRecord {
  /** Tells it from the others of the project; says nothing of the client's own id. */
  readonly id: string;
  readonly client: string;
  /** ISO 8601, of the first prompt and of the last thing that happened. */
  readonly begun: string;
  readonly time: string;
  /** Empty where the guard found something in it, as the answer. */
  readonly prompt: string;
  readonly files: readonly string[];
  /** The beginning of the last answer. */
  readonly answer: string;
}

type RecordLine =
  | { readonly t: "begun"; readonly client: string; readonly time: string; readonly prompt: string }
  | { readonly t: "changed"; readonly files: readonly string[] }
  | { readonly t: "answered"; readonly time: string; readonly answer: string };

/** What the last sessions of a project were about. The texts that are given were looked through by the guard. */
export interface SessionRecords {
  /** As it stands in a record, for the client's own id. */
  idOf(session: string): string;
  isBegun(session: string): boolean;
  /** With the first prompt; later ones change nothing. */
  begun(session: string, client: string, prompt: string): void;
  changed(session: string, files: readonly string[]): void;
  answered(session: string, answer: string): void;
  /** The last sessions in any client, the latest first. */
  list(most: number): readonly SessionRecord[];
  /** Those whose ids begin so; all of the project without one. Returns how many there were. */
  forget(id?: string): number;
}

const keptMs = 14 * 24 * 60 * 60 * 1000;
const promptChars = 500;
const answerChars = 800;
const mostFiles = 40;

/** A folder of files, one a session, that the user alone reads; the files of one project begin alike. */
export function openSessionRecords(project: string, user: UserPlace, now: () => number): SessionRecords {
  const folder = sessionRecordsFolder(user);
  // Made when it is needed: to look whether there is anything makes no folder.
  let known: UserHash | undefined;
  const hash: UserHash = (text) => {
    known ??= createUserHash(user);
    return known(text);
  };
  let ownPrefix: string | undefined;
  const prefix = () => {
    // A client may be started in any folder of a project.
    ownPrefix ??= `${hash(projectKey(nearestProject(project, user.home) ?? project, user.home))}.`;
    return ownPrefix;
  };
  const placeOf = (id: string) => join(folder, `${prefix()}${id}.jsonl`);
  const fileOf = (session: string) => placeOf(hash(session));
  const time = () => new Date(now()).toISOString();
  const isBegun = (session: string) => readLines(fileOf(session), isLine).some(({ t }) => t === "begun");

  function add(session: string, line: RecordLine): void {
    makeFolders(folder, 0o700);
    appendLine(fileOf(session), line);
  }

  /** The ids of this project's sessions, the latest first; old records of any project go. */
  function ids(): string[] {
    const dated = namesIn(folder).map((name) => ({ name, changed: changedAt(join(folder, name)) }));
    if (dated.length === 0) return [];
    const own = prefix();
    const isOld = ({ changed }: { changed: number }) => changed < now() - keptMs;
    for (const one of dated) if (isOld(one)) rmSync(join(folder, one.name), { force: true });
    return dated
      .filter((one) => one.name.startsWith(own) && !isOld(one))
      .toSorted((one, other) => other.changed - one.changed)
      .map(({ name }) => name.slice(own.length, -".jsonl".length));
  }

  return {
    idOf: hash,
    isBegun,
    begun: (session, client, prompt) => {
      if (!isBegun(session)) add(session, { t: "begun", client, time: time(), prompt: onOneLine(prompt, promptChars) });
    },
    changed: (session, files) => add(session, { t: "changed", files }),
    answered: (session, answer) =>
      add(session, { t: "answered", time: time(), answer: onOneLine(answer, answerChars) }),
    list: (most) => {
      const records: SessionRecord[] = [];
      for (const id of ids()) {
        if (records.length === most) break;
        records.push(...toRecord(id, readLines(placeOf(id), isLine)));
      }
      return records;
    },
    forget: (id = "") => {
      const forgotten = ids().filter((one) => one.startsWith(id));
      for (const one of forgotten) rmSync(placeOf(one), { force: true });
      return forgotten.length;
    },
  };
}

/** Takes away what hooks keep of sessions, of all projects; whether there was anything. */
export function removeSessionState(user: Partial<UserPlace>): boolean {
  const kept = [sessionRecordsFolder(user), sessionLogsFolder(user)].filter((folder) => existsSync(folder));
  for (const folder of kept) rmSync(folder, { recursive: true, force: true });
  return kept.length > 0;
}

/** A session of which no prompt is known, as of a client without that event, tells nobody anything. */
function toRecord(id: string, lines: readonly RecordLine[]): SessionRecord[] {
  const begun = lines.find((line) => line.t === "begun");
  if (!begun) return [];
  const answered = lines.findLast((line) => line.t === "answered");
  const files = [...new Set(lines.flatMap((line) => (line.t === "changed" ? line.files : [])))].slice(0, mostFiles);
  const { client, prompt } = begun;
  const last = { time: answered?.time ?? begun.time, answer: answered?.answer ?? "" };
  return [{ id, client, prompt, files, begun: begun.time, ...last }];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isLine(value: unknown): value is RecordLine {
  if (typeof value !== "object" || value === null) return false;
  const line = value as Readonly<Record<string, unknown>>;
  const texts = (...names: readonly string[]) => names.every((name) => typeof line[name] === "string");
  if (line["t"] === "changed")
    return Array.isArray(line["files"]) && line["files"].every((file) => typeof file === "string");
  if (line["t"] === "begun") return texts("client", "time", "prompt");
  return line["t"] === "answered" && texts("time", "answer");
}
