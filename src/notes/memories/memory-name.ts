import {
  type DocumentPath,
  type ExistingPath,
  parseDocumentPath,
  parseExistingPath,
} from "../../kernel/document-path.ts";

/** What begins with this names one of the user's own memories, which all projects share (MEM-14). */
export const globalPrefix = "global/";

/** A memory's name without `mem:` and `.md`, and where it lies below a folder of memories. */
export interface MemoryName<Path extends ExistingPath = ExistingPath> {
  readonly text: string;
  readonly isGlobal: boolean;
  readonly path: Path;
}

/** For what is newly named (KER-1). */
export function parseNewName(text: string): MemoryName<DocumentPath> {
  return parseName(text, (name) => parseDocumentPath(name) && parseDocumentPath(`${name}.md`));
}

/** For looking up what is there already, under whatever name people gave it. */
export function parseKnownName(text: string): MemoryName {
  return parseName(text, (name) => `${parseExistingPath(name)}.md` as ExistingPath);
}

/** A folder of memories, such as `auth` in `auth/login`; `global` and what is below it are the user's. */
export function parseTopic(text: string): { isGlobal: boolean; folder: ExistingPath | undefined } {
  const topic = text.replace(/^mem:/, "").replace(/\/$/, "");
  const path = parseExistingPath(topic);
  if (`${topic}/` === globalPrefix) return { isGlobal: true, folder: undefined };
  if (!topic.startsWith(globalPrefix)) return { isGlobal: false, folder: path };
  return { isGlobal: true, folder: parseExistingPath(topic.slice(globalPrefix.length)) };
}

/**
 * The name of a document in a folder of memories, which leads back to it; undefined where it is none: only `.md`
 * files are, and what a project keeps in a folder `global` must not pass for the user's own.
 */
export function nameOfPath(path: string, isGlobal: boolean): string | undefined {
  if (!hasName(path, isGlobal)) return undefined;
  const stem = path.slice(0, -".md".length);
  // What the name would lose once more is there twice: `x.md.md`, not `x.md`, which is another memory's.
  const name = stem.endsWith(".md") ? path : stem;
  if (isGlobal) return globalPrefix + name;
  return name.startsWith("mem:") ? `mem:${name}` : name;
}

/** Whether there is one, for who asks that of ten thousand. */
export function hasName(path: string, isGlobal: boolean): boolean {
  return path.endsWith(".md") && (isGlobal || !path.startsWith(globalPrefix));
}

/** Where the memory of a name lies in its folder: what `nameOfPath` names. */
export function pathOfName(name: string): ExistingPath {
  return parseKnownName(name).path;
}

function parseName<Path extends ExistingPath>(given: string, parse: (name: string) => Path): MemoryName<Path> {
  // Callers in plain JavaScript may pass anything; the check below says so in the words of a path.
  const text = typeof given === "string" ? given.replace(/^mem:/, "").replace(/\.md$/, "") : given;
  const isGlobal = typeof text === "string" && text.startsWith(globalPrefix);
  const path = parse(isGlobal ? text.slice(globalPrefix.length) : text);
  return { text: nameOfPath(path, isGlobal) ?? text, isGlobal, path };
}
