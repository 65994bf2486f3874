import {
  type ChangeResult,
  type Expectation,
  isRecollectError,
  type MeasuredDocument,
  nameOfPath,
  operations,
  parseDocumentPath,
  parseExistingPath,
  RecollectError,
  type Rev,
  type Session,
  type SessionRoot,
} from "../../app.ts";
import { SaveConflict } from "./api-failure.ts";
import type { ApiOperation } from "./contract/session.ts";

interface RootFile {
  readonly root: string;
  readonly path: string;
  readonly content: string;
  readonly rev: Rev;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** The documents of one root as the API works on them: those of the kernel, or an agent's own files. */
export interface RootFiles {
  readonly root: SessionRoot;
  /** Undefined where there is none. */
  read(path: string): Promise<RootFile | undefined>;
  /** The same without its content. */
  measure(path: string): Promise<MeasuredDocument | undefined>;
  /** Throws a SaveConflict where it is not as expected. */
  write(path: string, content: string, expected: Expectation): Promise<Saved>;
  remove(path: string, expected: Expectation): Promise<Saved>;
  /** To a name that is free, in the same root. */
  move(path: string, to: string, expected: Expectation): Promise<Saved>;
  isReadOnly(path: string): boolean;
}

export interface Saved {
  readonly root: string;
  readonly path: string;
  readonly rev: Rev | undefined;
}

/** The root of that name, as the session sees it. What it may not see is none (WEB-2). */
export function rootOf({ roots }: Pick<Session, "roots">, name: string): SessionRoot {
  const root = roots.find((one) => one.name === name);
  if (root) return root;
  throw new RecollectError("NOT_FOUND", `There is no root “${name}”.`);
}

export function filesOf(session: Session, name: string): RootFiles {
  const root = rootOf(session, name);
  if (root.kind !== "agent") return documentFiles(session, root);
  if (session.agent) return agentFiles(session.agent, root);
  throw new RecollectError("NOT_FOUND", `There is no root “${name}”.`);
}

/** What tools call a document: a memory's name, or root and path of anything else. */
export function nameOf(root: SessionRoot, path: string): string {
  const isMemory = root.kind === "memories" || root.kind === "global";
  return (isMemory ? nameOfPath(path, root.kind === "global") : undefined) ?? `${root.name}/${path}`;
}

/** An agent's own files can be neither removed nor moved. */
export function operationsOf({ kind, operations: allowed }: SessionRoot): ApiOperation[] {
  const missing: readonly ApiOperation[] = kind === "agent" ? ["delete", "move"] : [];
  return operations.filter((one) => allowed.has(one) && !missing.includes(one));
}

export function noDocument(root: string, path: string): RecollectError {
  return new RecollectError("NOT_FOUND", `There is no “${path}” in “${root}”.`);
}

/** Shows what is there now, where that can be read. */
export async function conflictAt(
  path: string,
  read: () => Promise<{ readonly rev: Rev; readonly content: string } | undefined>,
): Promise<SaveConflict> {
  const now = await read().catch((error: unknown) => {
    if (isRecollectError(error)) return error;
    throw error;
  });
  const says = isRecollectError(now)
    ? `“${path}” is there, and not as you expect it: it cannot be shown`
    : now
      ? `“${path}” is not as you read it: somebody changed it`
      : `“${path}” is not there any more`;
  const shown = isRecollectError(now) ? undefined : now && { rev: now.rev, content: now.content };
  return new SaveConflict(`${says}. Nothing was written.`, shown);
}

function documentFiles({ documents, stamp, roots }: Session, root: SessionRoot): RootFiles {
  const at = (path: string) => documents.resolve({ root: root.name, path: parseExistingPath(path) });
  const fresh = (path: string) => ({ root: root.name, path: parseDocumentPath(path) });

  async function read(path: string): Promise<RootFile | undefined> {
    const owner = at(path);
    const document = await documents.read(owner);
    return document && { ...owner, ...document };
  }

  async function saved(path: string, result: ChangeResult | undefined): Promise<Saved> {
    if (!result) throw noDocument(root.name, path);
    if (result.kind === "conflict") throw await conflictAt(result.at.path, () => documents.read(result.at));
    return { ...result.outcome.at, rev: result.outcome.rev };
  }

  return {
    root,
    read,
    measure: (path) => documents.measure(at(path)),
    write: async (path, content, expected) => saved(path, await documents.write(fresh(path), content, stamp, expected)),
    remove: async (path, expected) => saved(path, await documents.remove(at(path), stamp, expected)),
    move: async (path, to, expected) => {
      const moved = await saved(path, await documents.move(at(path), fresh(to), stamp, expected));
      return { ...moved, ...documents.resolve(fresh(to)) };
    },
    isReadOnly: (path) => {
      const owner = at(path);
      const allowed = roots.find(({ name }) => name === owner.root)?.operations;
      return !allowed?.has("write") || documents.isProtected(owner);
    },
  };
}

function agentFiles({ agentId, memory }: NonNullable<Session["agent"]>, root: SessionRoot): RootFiles {
  async function read(path: string): Promise<RootFile | undefined> {
    try {
      return { root: root.name, path, ...(await memory.readMemoryFileWithRev(agentId, path)) };
    } catch (error) {
      if (isRecollectError(error) && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  const never = async (): Promise<Saved> => {
    throw new RecollectError("NOT_ALLOWED", "An agent's own files can be neither removed nor moved.");
  };

  return {
    root,
    read,
    measure: async (path) => {
      const file = await read(path);
      return file && { size: Buffer.byteLength(file.content), modified: file.modified, rev: file.rev };
    },
    write: async (path, content, expected) => {
      try {
        return { root: root.name, path, rev: await memory.writeMemoryFile(agentId, path, content, expected) };
      } catch (error) {
        if (!isRecollectError(error) || error.code !== "CONFLICT") throw error;
        throw await conflictAt(path, () => read(path));
      }
    },
    remove: never,
    move: never,
    isReadOnly: () => !root.operations.has("write"),
  };
}
