import { isRecollectError, type Session } from "../../index.ts";
import { nameOfReference, splitAtReferences } from "./contract/references.ts";
import { filesOf } from "./root-files.ts";

/** A note that refers to more is an index: a reader waits for a few looks, not for thousands. */
const mostNames = 100;

/** The memories that a text refers to and that are not there for this session. */
export async function missingReferences(session: Session, content: string): Promise<string[]> {
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
