import { openFilesStore } from "../src/backends/files/store.ts";
import { openGitHistory } from "../src/history/git/history.ts";
import { parseDocumentPath } from "../src/kernel/document-path.ts";
import { createDocuments } from "../src/kernel/documents.ts";
import { isRecollectError } from "../src/kernel/errors.ts";
import { fullAccess } from "../src/kernel/root-policy.ts";
import { recorderMarks } from "./history-marks.ts";

/** Writes and records until it is told to stop or killed; says each acknowledged revision on a line of its own. */
const [folder = "", author = "", count = "0"] = process.argv.slice(2);
const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder }] });
const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }] });
const history = openGitHistory({ trail: store.trail("notes"), env: process.env, now: Date.now });
const at = (path: string) => ({ root: "notes", path: parseDocumentPath(path) });
const stamp = { author };
const names = ["a.md", "b.md", "sub/a.md", "sub/b.md", "sub/deep/c.md"];
const pick = () => names[Math.floor(Math.random() * names.length)] ?? "a.md";
const textOf = (index: number) => `${author} ${index} ${Math.random()}\n`;
let background: Promise<unknown> = Promise.resolve();

for (let index = 0; index < Number(count); index += 1) {
  const chance = Math.random();
  if (chance < 0.1) await move(pick(), pick());
  else if (chance < 0.15) await say(documents.remove(at(pick()), stamp));
  else if (chance < 0.4) await say(documents.append(at(pick()), textOf(index), stamp));
  else if (chance < 0.45) await together(index);
  else await say(documents.write(at(pick()), textOf(index), stamp));
  if (Math.random() < 0.25) {
    background = background.then(record);
    // Writing is so much quicker: without a pause each would be killed before it had recorded anything.
    if (Math.random() < 0.5) await background;
  }
  if (Math.random() < 0.02) background = background.then(maintain);
}
await background;
await history.close();
await store.close();

/** Waits for its turn: of four who only tried, three would never record. */
async function record(): Promise<void> {
  print(recorderMarks.begun);
  const caughtUp = await history.catchUp({ waitMs: 1000 });
  const isNews = caughtUp.kind === "recorded" && caughtUp.operations > 0;
  print(isNews ? recorderMarks.recorded : recorderMarks.idle);
}

/** Two at once are in each other's way, and a git that is killed leaves its lock: it is tried again another time. */
async function maintain(): Promise<void> {
  try {
    await history.maintain();
  } catch (error) {
    if (!isRecollectError(error) || error.code !== "STORAGE_FAILED") throw error;
  }
}

async function move(from: string, to: string): Promise<void> {
  if (from !== to) await say(documents.move(at(from), at(to), stamp));
}

async function together(index: number): Promise<void> {
  const [one, other] = [at("a.md"), at("sub/deep/c.md")];
  const result = await documents.commit(
    [one, other],
    () => [
      { kind: "put", at: one, content: textOf(index) },
      { kind: "put", at: other, content: textOf(index) },
    ],
    stamp,
  );
  for (const { rev } of result.outcomes) print(rev);
}

async function say(
  doing: Promise<{ kind: string; outcome?: { rev?: string | undefined } } | undefined>,
): Promise<void> {
  const result = await doing;
  if (result?.kind === "committed") print(result.outcome?.rev);
}

/** One write: a line is printed whole or not at all. */
function print(rev: string | undefined): void {
  process.stdout.write(`${rev ?? "gone"}\n`);
}
