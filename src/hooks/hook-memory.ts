import {
  allowsRecall,
  createUserHash,
  documentName,
  type Hit,
  localDate,
  openWorkspace,
  parseExistingPath,
  passagesOf,
  recallSubject,
  type UserHash,
  type UserPlace,
  type Workspace,
} from "../app.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { type JudgedHit, judgeHits } from "./relevance.ts";
import { keyOf } from "./session-log.ts";

/** A project's memory as hooks use it: only what the user lets them put before a model. */
export interface HookMemory {
  readonly settings: Workspace["settings"]["values"];
  /** False where the notes came with the project and the user has not said that hooks may recall them. */
  readonly isTrusted: boolean;
  /** What trust would be for; undefined without a project. */
  readonly subject: string | undefined;
  /** The hits for a text with what was judged of each, best first; the ones that fit are records. */
  judge(text: string, how: { readonly isGuess?: boolean }): Promise<readonly JudgedHit[]>;
  /** Undefined for what may not be put before a model, or is no longer there. */
  record(hit: Place): Promise<MemoryRecord | undefined>;
  /** Records that were given before, as they are now; without those that are gone. */
  again(given: readonly GivenBefore[]): Promise<readonly MemoryRecord[]>;
  /** What was last written through Recollect on this machine. */
  latest(count: number): Promise<readonly MemoryRecord[]>;
  /** How many documents of this project were not written through Recollect on this machine. */
  countForeign(): Promise<number>;
  /** The hits for a text by its words, whatever they are about. */
  search(text: string, limit: number): Promise<readonly Hit[]>;
}

interface GivenBefore {
  readonly id: string;
  readonly rev: string;
}

type Place = Pick<Hit, "root" | "kind" | "path" | "title" | "date" | "lines">;

const hitsJudged = 20;
/** Of each folder: enough to tell a person what there is. */
const mostCounted = 500;
const globalRoot = "global";
const topicsIndex = "index.md";

/** Opens the workspace of a folder for one event, and closes it. */
export async function withHookMemory<Result>(
  cwd: string,
  user: UserPlace,
  use: (memory: HookMemory) => Promise<Result>,
): Promise<Result> {
  const workspace = await openWorkspace({ cwd, env: user.env, home: user.home });
  try {
    return await use(createHookMemory(workspace, user));
  } finally {
    await workspace.close();
  }
}

function createHookMemory(workspace: Workspace, user: UserPlace): HookMemory {
  const { project, authorHere, bearer } = workspace;
  // An agent's own files are for it alone, and hooks do not know which agent asks.
  const session = workspace.session({ ...bearer, agentId: undefined });
  const { documents, roots, search } = session;
  const isTrusted = project === undefined || allowsRecall(project.folder, user);
  const own = roots.filter(({ kind }) => kind === "memories" || kind === "topics");
  const hash = createUserHash(user);

  async function record(place: Place): Promise<MemoryRecord | undefined> {
    const { root, kind, path, title, date, lines } = place;
    const at = { root, path: parseExistingPath(path) };
    const document = await documents.read(at);
    if (document === undefined) return undefined;
    const writtenBy = await authorHere(at, document.rev);
    if (!isTrusted && root !== globalRoot && writtenBy === undefined) return undefined;
    const name = documentName(place);
    const text = textOf(document.content.split("\n").slice(lines.from - 1, lines.to), title);
    return {
      id: idOf(place, hash),
      name,
      title: title === name || title === name.split("/").at(-1) ? "" : title,
      kind: kind === "topic" ? "lesson" : "note",
      date,
      // Of the passage alone: what else changes in its file gives nobody this one again.
      rev: hash(text),
      text,
      writtenBy,
    };
  }

  /** The passage of a record that was given, where it stands now and as it is now. */
  async function present({ id, rev }: GivenBefore): Promise<MemoryRecord | undefined> {
    const [root = "", kind, path = "", day, title] = JSON.parse(id) as IdParts;
    const document = await documents.read({ root, path: parseExistingPath(path) });
    if (document === undefined) return undefined;
    const { content, modified } = document;
    const passages = passagesOf({ path, kind: kind === "topic" ? "topic" : "memory", content })
      .map((one) => ({ root, kind, path, ...one, date: one.date ?? localDate(new Date(modified)) }))
      .filter((one) => hash(one.title) === title && dayOf(one) === day);
    const records = await Promise.all(passages.map(record));
    return records.find((one) => one?.rev === rev) ?? records[0];
  }

  return {
    settings: workspace.settings.values,
    isTrusted,
    subject: project && recallSubject(project.folder, user),
    record,
    judge: async (text, how) => judgeHits(search, text, { ...how, limit: hitsJudged }),
    search: async (text, limit) => (await search.search({ query: text, limit, preview: true })).hits,
    again: async (given) => {
      const found = await Promise.all(given.map(present));
      const records = found.filter((one) => one !== undefined);
      // What changed between two gifts is one record now.
      return [...new Map(records.map((one) => [keyOf(one), one])).values()];
    },
    latest: async (count) => {
      const recent = await Promise.all(
        own.map(async ({ name: root, kind }) =>
          (await documents.recent({ root, limit: count + 1 })).map(({ path, time }) => ({
            root,
            kind: kind === "topics" ? ("topic" as const) : ("memory" as const),
            path: String(path),
            title: "",
            date: localDate(new Date(time)),
            lines: { from: 1, to: 1 },
            time,
          })),
        ),
      );
      const newest = recent
        .flat()
        .filter(({ kind, path }) => !(kind === "topic" && path === topicsIndex))
        .toSorted((one, other) => (one.time < other.time ? 1 : -1));
      const records: MemoryRecord[] = [];
      for (const place of newest.slice(0, 3 * count)) {
        if (records.length === count) break;
        const found = await record(place);
        if (found?.writtenBy !== undefined) records.push(found);
      }
      return records;
    },
    countForeign: async () => {
      let foreign = 0;
      for (const { name: root, kind } of own) {
        const { entries } = await documents.list({ root, limit: mostCounted });
        for (const { path } of entries) {
          if (kind === "topics" && path === topicsIndex) continue;
          const document = await documents.read({ root, path }).catch(() => undefined);
          if (document && (await authorHere({ root, path }, document.rev)) === undefined) foreign += 1;
        }
      }
      return foreign;
    },
  };
}

/** Without the heading, which the name and the title of a record say already, and the line that ends a lesson. */
function textOf(lines: readonly string[], title: string): string {
  const heading = /^#{1,6}\s+(?:\d{4}-\d\d-\d\d:\s*)?(.*?)\s*$/.exec(lines[0] ?? "")?.[1];
  const body = heading === title ? lines.slice(1) : lines;
  return body
    .join("\n")
    .replace(/\n+---\s*$/, "")
    .trim();
}

type IdParts = readonly [root: string, kind: Hit["kind"], path: string, day: string, title: string];

/** Names a record whatever else changes in its document: no lines, and of titles what tells nobody what they say. */
function idOf(place: Place, hash: UserHash): string {
  const { root, kind, path, title } = place;
  return JSON.stringify([root, kind, path, dayOf(place), hash(title)] satisfies IdParts);
}

/** The day of a lesson is part of its name, that of a note changes with it. */
function dayOf({ kind, date }: Pick<Place, "kind" | "date">): string {
  return kind === "topic" ? date : "";
}
