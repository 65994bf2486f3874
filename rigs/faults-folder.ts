import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FaultCase, type Past, severalChanges, type Texts } from "./faults-cases.ts";
import { inject } from "./faults-inject.ts";
import { startWorker } from "./faults-worker.ts";

const journalBytes = 1024 * 1024;
const leftover = /^(new-.*|intent|intent-draft|journal-draft)$/;

/** The documents on disk, read past the store. */
export function textsIn(root: string): Texts {
  const texts: Record<string, string> = {};
  for (const path of filesIn(root)) {
    if (!path.includes(".recollect/")) texts[path] = readFileSync(join(root, path), "utf8");
  }
  return texts;
}

/** What an operation leaves behind when it is cut off, and recovery must take away. */
export function leftoversIn(root: string): string[] {
  return filesIn(root).filter((path) => path.includes(".recollect/") && leftover.test(path.split("/").at(-1) ?? ""));
}

export function sameTexts(left: Texts, right: Texts): boolean {
  const paths = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...paths].every((path) => left[path] === right[path]);
}

/** With its hard links: the second names of documents are part of what is tested. */
export function copyFolder(from: string, to: string): void {
  if (!existsSync(from)) return;
  const { status, stderr } = spawnSync("cp", ["-a", from, to], { encoding: "utf8" });
  if (status !== 0) throw new Error(`cp failed: ${stderr}`);
}

/** Brings a folder into the state that a case begins with. */
export async function prepareFolder(root: string, { past, before }: FaultCase, source: string): Promise<void> {
  if (past === "no folder") return;
  const texts = past === "commit was cut off" ? uncommitted : before;
  if (past === "never written by us") {
    for (const [path, content] of Object.entries(texts)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    return;
  }
  await writeByStore(root, texts, past, source);
  if (past === "journal is full") {
    const journal = join(root, ".recollect/journal");
    const line = `${JSON.stringify({ kind: "put", name: "gone.md", reason: "x".repeat(900) })}\n`;
    appendFileSync(journal, line.repeat(Math.floor((journalBytes - statSync(journal).size) / line.length)));
    appendFileSync(journal, `${" ".repeat(journalBytes - statSync(journal).size - 1)}\n`);
  }
}

/** Each document twice, so that superseded revisions lie there too; then, where asked, a commit that is killed. */
async function writeByStore(root: string, texts: Texts, past: Past, source: string): Promise<void> {
  const worker = startWorker(source);
  try {
    await worker.ask({ do: "open", root });
    for (const [path, content] of Object.entries(texts)) {
      await worker.ask({ do: "commit", changes: [{ kind: "put", path, content: "draft\n" }] });
      await worker.ask({ do: "commit", changes: [{ kind: "put", path, content }] });
    }
    if (past !== "commit was cut off") return;
    // The third rename: both intents are in place, no document is.
    const injection = await inject(worker.pid, { call: "rename", error: "KILL", occurrence: 3 }, `${root}.strace`);
    await worker.ask({ do: "commit", changes: severalChanges });
    await injection.end();
    const intents = leftoversIn(root).filter((path) => path.endsWith("/intent"));
    if (intents.length !== 2) throw new Error("the commit was not cut off where it should have been");
  } finally {
    await worker.stop();
  }
}

const uncommitted: Texts = {
  "plan.md": "# Plan\n\nFirst the foundation.\n",
  "log.md": "# Log\n\n- one\n",
  "there/other.md": "# Other\n\nIn another folder.\n",
};

function filesIn(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
