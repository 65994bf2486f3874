/** The output of a tool may be in it; a client that sends more than this sends something that nobody needs. */
const mostBytes = 8 * 1024 * 1024;

/**
 * One event from standard input. A larger one is read to its end all the same and counts as none: a client that writes
 * into a closed pipe would take that for a failure of the hook.
 */
export async function readEvent(input: AsyncIterable<Buffer>, most = mostBytes): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of input) {
    bytes += part.length;
    if (bytes <= most) parts.push(part);
    else parts.length = 0;
  }
  return bytes <= most ? Buffer.concat(parts) : undefined;
}
