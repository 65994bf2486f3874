import { toTreePath } from "./tree-path.ts";

/** A file of a commit: a mark of a blob, or gone. */
export interface FileChange {
  readonly path: string;
  /** Undefined where it is gone. */
  readonly mark: number | undefined;
}

export interface CommitText {
  readonly branch: string;
  readonly author: string;
  /** ISO 8601. */
  readonly time: string;
  readonly message: string;
  /** The commit before, where it is not the one that was just written. */
  readonly parent?: string | undefined;
  readonly files: readonly FileChange[];
}

export function blobCommand(mark: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`blob\nmark :${mark}\ndata ${bytes.length}\n`), bytes, Buffer.from("\n")]);
}

export function commitCommand({ branch, author, time, message, parent, files }: CommitText): Buffer {
  const when = `${secondsOf(time)} +0000`;
  const text = Buffer.from(message);
  // What goes first: a document may take the place of a folder, and a folder that of a document.
  const gone = files.filter(({ mark }) => mark === undefined);
  const written = files.filter(({ mark }) => mark !== undefined);
  return Buffer.concat([
    Buffer.from(
      `commit ${branch}\nauthor ${nameOfAuthor(author)} <> ${when}\ncommitter Recollect <> ${when}\ndata ${text.length}\n`,
    ),
    text,
    Buffer.from(
      [
        "",
        ...(parent === undefined ? [] : [`from ${parent}`]),
        ...gone.map(({ path }) => `D ${quotePath(path)}`),
        ...written.map(({ path, mark }) => `M 100644 :${mark} ${quotePath(path)}`),
        "",
        "",
      ].join("\n"),
    ),
  ]);
}

/** The head of a commit whose lines about people are there already. */
export function commitHead(branch: string, people: string, message: string): Buffer {
  const text = Buffer.from(message);
  return Buffer.concat([Buffer.from(`commit ${branch}\n${people}data ${text.length}\n`), text, Buffer.from("\n")]);
}

/** What git takes for the name of a person; the whole of it is in the message. */
export function nameOfAuthor(author: string): string {
  return (
    author
      .replace(/[<>\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
      .trim()
      .slice(0, 200) || "unknown"
  );
}

function secondsOf(time: string): number {
  const seconds = Math.floor(Date.parse(time) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 4_102_444_800) : 0;
}

export function quotePath(path: string): string {
  const escaped = toTreePath(path).replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n");
  return `"${escaped}"`;
}
