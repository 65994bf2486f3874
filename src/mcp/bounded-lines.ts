import { Transform, type TransformCallback } from "node:stream";

export interface BoundedLinesOptions {
  /** How many bytes a line may have, without its end. */
  readonly mostBytes: number;
  /** Told of each line that has more, once it ends: the id of the request in it, or null where that is not easily found. */
  readonly onTooLong: (id: string | number | null) => void;
}

const newline = 0x0a;
const endBytes = 1024;

/**
 * Passes lines on whole, and leaves out those that are too long, so that one of them does not end the connection for
 * all others. Holds at most one line of the allowed size.
 */
export function createBoundedLines({ mostBytes, onTooLong }: BoundedLinesOptions): Transform {
  let held: Buffer[] = [];
  let size = 0;
  /** The beginning and the end of a line that is left out. */
  let skipped: { readonly head: string; tail: Buffer } | undefined;

  function take(part: Buffer): void {
    size += part.length;
    if (skipped) skipped.tail = Buffer.concat([skipped.tail, part]).subarray(-endBytes);
    else held.push(part);
    if (skipped || size <= mostBytes) return;
    const line = Buffer.concat(held);
    skipped = { head: line.toString("latin1", 0, endBytes), tail: Buffer.from(line.subarray(-endBytes)) };
    held = [];
  }

  /** The line that has just ended; undefined where it is left out. */
  function endLine(): Buffer | undefined {
    const line = skipped ? undefined : Buffer.concat([...held, Buffer.of(newline)]);
    if (skipped) onTooLong(idIn(skipped.head, skipped.tail.toString("latin1")));
    [held, size, skipped] = [[], 0, undefined];
    return line;
  }

  return new Transform({
    transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback) {
      let at = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, at)) {
        take(chunk.subarray(at, end));
        const line = endLine();
        if (line) this.push(line);
        at = end + 1;
      }
      if (at < chunk.length) take(chunk.subarray(at));
      done();
    },
    flush(done: TransformCallback) {
      if (skipped) endLine();
      done();
    },
  });
}

const value = '("[\\w.:-]{1,200}"|-?\\d{1,15})';
const first = new RegExp(
  `^\\s*\\{\\s*(?:"(?:jsonrpc|method)"\\s*:\\s*"[^"\\\\]*"\\s*,\\s*)*"id"\\s*:\\s*${value}\\s*[,}]`,
);
/** A single brace after it: it is a member of the message itself. */
const last = new RegExp(`,\\s*"id"\\s*:\\s*${value}\\s*(?:,\\s*"(?:jsonrpc|method)"\\s*:\\s*"[^"\\\\]*"\\s*)*\\}\\s*$`);

/** Where clients put it: before the parameters, or after them. */
function idIn(head: string, tail: string): string | number | null {
  const found = (first.exec(head) ?? last.exec(tail))?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
