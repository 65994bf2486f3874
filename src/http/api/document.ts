import type { Context } from "hono";
import * as z from "zod";
import {
  type Expectation,
  isRecollectError,
  type Log,
  nameOfPath,
  parseExpectation,
  pathOfName,
  type Session,
} from "../../app.ts";
import type { HttpEnv } from "../principal.ts";
import type { ApiDocument, ApiMove, ApiMoved, ApiSave, ApiSaved } from "./contract/document.ts";
import { nameOfReference, splitAtReferences } from "./contract/references.ts";
import { toGuardFindings } from "./guard-finding.ts";
import { needed, readBody, readQuery, text } from "./input.ts";
import { conflictAt, filesOf, nameOf, noDocument, type RootFiles, type Saved } from "./root-files.ts";
import type { Api, ApiServices } from "./services.ts";

/** Larger than any document may be; the kernel has the limit that was set. */
const contentChars = 64 * 1024 * 1024;

export function registerDocument(api: Api, { guardReport, log }: ApiServices): void {
  api.get("/document", async (c) => {
    const { root, path } = readQuery(c, { root: needed, path: needed });
    const files = filesOf(c.get("session"), root);
    const file = await files.read(path);
    if (!file) throw noDocument(root, path);
    const { content, rev, modified } = file;
    const answer: ApiDocument = {
      root: file.root,
      path: file.path,
      name: nameOf(ownRoot(c, file.root) ?? files.root, file.path),
      content,
      rev,
      modified: new Date(modified).toISOString(),
      readOnly: files.isReadOnly(path),
      findings: toGuardFindings(await guardReport.findings(file)),
      missing: await missingReferences(c.get("session"), content),
    };
    return c.json(answer);
  });

  api.put("/document", async (c) => {
    const { root, path, content, ifRev }: ApiSave = await readBody(c, {
      root: needed,
      path: needed,
      content: z.string().max(contentChars),
      ifRev: text.nullable(),
    });
    const expected = ifRev === null ? { mustNotExist: true } : parseExpectation({ ifRev });
    const session = c.get("session");
    return answer(c, await indexed(session, log, await filesOf(session, root).write(path, content, expected)));
  });

  api.delete("/document", async (c) => {
    const { root, path, ifRev } = readQuery(c, { root: needed, path: needed, ifRev: text });
    const session = c.get("session");
    const saved = await filesOf(session, root).remove(path, parseExpectation({ ifRev }));
    return answer(c, await indexed(session, log, saved));
  });

  api.post("/document/move", async (c) => {
    const { root, path, to, ifRev }: ApiMove = await readBody(c, {
      root: needed,
      path: needed,
      to: needed,
      ifRev: text,
    });
    const session = c.get("session");
    const files = filesOf(session, root);
    const expected = parseExpectation({ ifRev });
    const renamed = await rename(session, files, { path, to, expected });
    if (renamed) return c.json(renamed);
    const saved = await indexed(session, log, await files.move(path, to, expected));
    const moved: ApiMoved = { ...saved, rewritten: [], notRewritten: [] };
    return c.json(moved);
  });
}

function ownRoot(c: Context<HttpEnv>, name: string) {
  return c.get("session").roots.find((one) => one.name === name);
}

function answer(c: Context<HttpEnv>, { root, path, rev }: Saved): Response {
  const saved: ApiSaved = { root, path, rev };
  return c.json(saved);
}

/** The index of topics is made of their files. What was asked for is done, whatever becomes of it. */
async function indexed(session: Session, log: Log, saved: Saved): Promise<Saved> {
  if (saved.root !== session.topicsRoot) return saved;
  try {
    await session.topics.reindex();
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    log("warning", "topics", { message: error.message });
  }
  return saved;
}

/** A memory that its name leads to is renamed with all that refers to it; undefined for anything else. */
async function rename(
  { memories }: Session,
  files: RootFiles,
  { path, to, expected }: { readonly path: string; readonly to: string; readonly expected: Expectation },
): Promise<ApiMoved | undefined> {
  const { kind, name: root } = files.root;
  if (kind !== "memories" && kind !== "global") return undefined;
  const [name, newName] = [path, to].map((one) => nameOfPath(one, kind === "global"));
  const file = await files.read(path);
  if (!file) throw noDocument(root, path);
  if (name === undefined || newName === undefined || file.root !== root || file.path !== path) return undefined;
  const found = await memories.read(name, { maxChars: 1 });
  if (found.folder !== root) return undefined;
  const renamed = await memories.rename(name, newName, expected).catch(async (error: unknown) => {
    // The other conflict is about the new name, which somebody has.
    const isLost = isRecollectError(error) && error.code === "CONFLICT" && error.data["path"] === found.name;
    throw isLost ? await conflictAt(path, () => files.read(path)) : error;
  });
  return {
    root: renamed.folder,
    path: pathOfName(renamed.to),
    rev: renamed.rev,
    rewritten: renamed.rewritten,
    notRewritten: renamed.notRewritten.map((one) => one.name),
  };
}

/** A note that refers to more is an index: a reader waits for a few looks, not for thousands. */
const mostNames = 100;

/** The memories that a text refers to and that are not there for this session. */
async function missingReferences(session: Session, content: string): Promise<string[]> {
  if (!content.includes("mem:")) return [];
  const references = splitAtReferences(content).filter((_, index) => index % 2 === 1);
  const names = [...new Set(references.map(nameOfReference))].slice(0, mostNames);
  const missing: string[] = [];
  for (const name of names) if (!(await isThere(session, name))) missing.push(name);
  return missing;
}

async function isThere(session: Session, name: string): Promise<boolean> {
  const isGlobal = name.startsWith("global/");
  const own = isGlobal ? name.slice("global/".length) : name;
  for (const root of session.roots.filter(({ kind }) => kind === (isGlobal ? "global" : "memories"))) {
    try {
      if (await filesOf(session, root.name).measure(`${own}.md`)) return true;
    } catch (error) {
      // What can be no name is not there; what cannot be read is.
      if (!isRecollectError(error)) throw error;
      if (error.code !== "INVALID_PATH" && error.code !== "NOT_FOUND") return true;
    }
  }
  return false;
}
