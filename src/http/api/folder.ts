import {
  comparePaths,
  isRecollectError,
  type MeasuredDocument,
  parseExistingPath,
  RecollectError,
  type Session,
  type SessionRoot,
} from "../../app.ts";
import type { ApiFolder, ApiListed } from "./contract/folder.ts";
import { needed, readQuery, text } from "./input.ts";
import { filesOf, type RootFiles, rootOf } from "./root-files.ts";
import type { Api } from "./services.ts";

const pageSize = 200;
/** An agent keeps notes, not archives. */
const mostAgentFiles = 10_000;

interface Children {
  /** Both sorted. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** What their listing told of files, where it did. */
  readonly listed?: ReadonlyMap<string, MeasuredDocument>;
}

export function registerFolder(api: Api): void {
  api.get("/folder", async (c) => {
    const {
      root: name,
      folder = "",
      after,
    } = readQuery(c, {
      root: needed,
      folder: text.optional(),
      after: text.optional(),
    });
    const session = c.get("session");
    const files = filesOf(session, name);
    const children = await childrenOf(session, files.root, folder);
    const answer: ApiFolder = { root: name, folder, ...(await pageOf(children, after, files)) };
    return c.json(answer);
  });
}

/** Folders come first, each with a slash at its end in `after`. */
async function pageOf(children: Children, after: string | undefined, root: RootFiles) {
  const { folders, files } = children;
  const all = [...folders.map((path) => `${path}/`), ...files];
  const left = after === undefined ? all : all.filter((one) => isAfter(one, after));
  const page = left.slice(0, pageSize);
  const documents: ApiListed[] = [];
  for (const path of page.filter((one) => !one.endsWith("/"))) documents.push(await describe(path, root, children));
  return {
    folders: page.filter((one) => one.endsWith("/")).map((one) => one.slice(0, -1)),
    documents,
    next: left.length > pageSize ? page.at(-1) : undefined,
  };
}

/** What a page ended with may be gone by now. */
function isAfter(one: string, after: string): boolean {
  const [isFolder, wasFolder] = [one.endsWith("/"), after.endsWith("/")];
  return isFolder === wasFolder ? comparePaths(one, after) > 0 : wasFolder;
}

async function childrenOf(session: Session, root: SessionRoot, folder: string): Promise<Children> {
  const at = folder === "" ? undefined : parseExistingPath(folder);
  const found = root.kind === "agent" ? await agentChildren(session, folder) : await rootChildren(session, root, at);
  if (found) return found;
  // A root that nobody wrote in yet is empty; a folder in it is none.
  if (at === undefined) return { folders: [], files: [] };
  throw new RecollectError("NOT_FOUND", `There is no folder “${folder}” in “${root.name}”.`);
}

async function rootChildren(
  { documents }: Session,
  { name: root }: SessionRoot,
  folder: ReturnType<typeof parseExistingPath> | undefined,
): Promise<Children | undefined> {
  return documents.browse(folder === undefined ? { root } : { root, folder });
}

async function agentChildren({ agent, roots }: Session, folder: string): Promise<Children | undefined> {
  if (!agent) return undefined;
  rootOf({ roots }, "agent_memory");
  const prefix = folder === "" ? "" : `${folder}/`;
  const folders = new Set<string>();
  const files: string[] = [];
  const listed = new Map<string, MeasuredDocument>();
  let [seen, after] = [0, undefined as string | undefined];
  do {
    const page = await agent.memory.listMemoryFiles(agent.agentId, {
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    });
    for (const { path, size, modified, rev, remark } of page.files.filter((one) => one.path.startsWith(prefix))) {
      const end = path.indexOf("/", prefix.length);
      if (end === -1) files.push(path);
      else folders.add(path.slice(0, end));
      // Why one cannot be read, reading it says in a sentence.
      if (rev !== undefined && (remark === undefined || remark === "hard-link"))
        listed.set(path, { size, modified, rev });
    }
    seen += page.files.length;
    after = page.next;
  } while (after !== undefined && seen < mostAgentFiles);
  return folders.size + files.length === 0 ? undefined : { folders: [...folders], files, listed };
}

/** One that cannot be read says why, and breaks nothing else. */
async function describe(path: string, files: RootFiles, { listed }: Children): Promise<ApiListed> {
  try {
    const file = listed?.get(path) ?? (await files.measure(path));
    return {
      path,
      size: file?.size ?? 0,
      modified: new Date(file?.modified ?? 0).toISOString(),
      rev: file?.rev,
      readOnly: files.isReadOnly(path),
      remark: file ? undefined : "is gone",
    };
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return {
      path,
      size: 0,
      modified: new Date(0).toISOString(),
      rev: undefined,
      readOnly: true,
      remark: error.message,
    };
  }
}
