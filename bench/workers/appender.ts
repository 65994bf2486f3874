import { join } from "node:path";
import { writeDurably } from "../floor.ts";
import { addressOf, openDocuments, stamp } from "../open-documents.ts";
import { serveRequests } from "./worker.ts";

export interface AppendRequest {
  /** Ours takes the lock of the document; bare writes a file of its own, with no lock at all. */
  readonly way: "ours" | "bare";
  readonly folder: string;
  readonly document: string;
  readonly writer: string;
  readonly count: number;
}

export interface AppendTimes {
  /** From the call to the answer, in milliseconds. */
  readonly calls: readonly number[];
  /** From the call to the moment when the lock was there; none where there is no lock. */
  readonly waits: readonly number[];
  /** From that moment to the answer. */
  readonly holds: readonly number[];
}

/** Kept open between requests, as a server keeps its own. */
const opened = new Map<string, Pick<ReturnType<typeof openDocuments>, "documents">>();

serveRequests<AppendRequest>(async (request) => (request.way === "ours" ? appendOurs(request) : appendBare(request)));

async function appendOurs({ folder, document, writer, count }: AppendRequest): Promise<AppendTimes> {
  const { documents } = opened.get(folder) ?? openDocuments(folder);
  opened.set(folder, { documents });
  const at = addressOf(document);
  const calls: number[] = [];
  const waits: number[] = [];
  const holds: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const called = performance.now();
    let locked = called;
    await documents.commit(
      [at],
      () => {
        // A plan runs once the lock is held, so this is the moment when waiting ends.
        locked = performance.now();
        return [{ kind: "append", at, content: lineOf(writer, number) }];
      },
      stamp,
    );
    const answered = performance.now();
    calls.push(answered - called);
    waits.push(locked - called);
    holds.push(answered - locked);
  }
  return { calls, waits, holds };
}

async function appendBare({ folder, document, writer, count }: AppendRequest): Promise<AppendTimes> {
  const calls: number[] = [];
  let content = "";
  for (let number = 0; number < count; number += 1) {
    content += lineOf(writer, number);
    const called = performance.now();
    writeDurably(join(folder, document), content);
    calls.push(performance.now() - called);
  }
  return { calls, waits: [], holds: calls };
}

function lineOf(writer: string, number: number): string {
  return `${writer} ${number}\n`;
}
