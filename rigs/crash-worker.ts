import type { Address, Change, DocumentPath, Outcome, StoredDocument } from "../src/app.ts";
import { parseDocumentPath } from "../src/kernel/document-path.ts";
import { openCrashLog } from "./crash-log.ts";
import { identitiesIn, makeRecord, sharedPaths, wanderingPaths } from "./crash-records.ts";
import { openKernel } from "./open-kernel.ts";

/** One of the writers of rig:crash: works until it is killed, and writes down what was acknowledged. */
const [folder = "", logFile = "", name = ""] = process.argv.slice(2);
const { store, documents } = openKernel(folder);
const log = openCrashLog(logFile);
let sequence = 0;

/** A document that has grown beyond this is replaced, so that the run stays small. */
const maxContent = 6000;

function nextRun(): string {
  sequence += 1;
  return `${name}.${sequence}`;
}

function pick<Value>(values: readonly Value[]): Value {
  return values[Math.floor(Math.random() * values.length)] as Value;
}

function at(path: string): Address<DocumentPath> {
  return { root: "rig", path: parseDocumentPath(path) };
}

function stampOf(run: string) {
  return { author: name, run };
}

/** Logs the intention, does it, and logs the acknowledgement, if there was one. */
async function attempt(doing: string, run: string, act: () => Promise<readonly Outcome[] | undefined>): Promise<void> {
  log.write({ kind: "intends", run, doing });
  try {
    const outcomes = await act();
    if (outcomes) log.write({ kind: "acknowledged", run, outcomes });
  } catch (error) {
    const says = error instanceof Error ? `${error.message} ${String(error.cause ?? "")}` : String(error);
    log.write({ kind: "failed", run, says: `${doing}: ${says}` });
  }
}

function outcomesOf(result: { kind: string; outcome?: Outcome } | undefined): readonly Outcome[] | undefined {
  return result?.outcome && [result.outcome];
}

async function readWhole(path: string): Promise<StoredDocument | undefined> {
  const found = await documents.read(at(path));
  if (found && !identitiesIn(found.content)) {
    log.write({ kind: "torn", path, says: `${found.content.length} characters, ${found.content.slice(0, 80)}` });
  }
  return found;
}

async function append(): Promise<void> {
  const [path, run] = [pick(sharedPaths), nextRun()];
  const found = await readWhole(path);
  if ((found?.content.length ?? 0) > maxContent) return replace(path);
  await attempt(`append to ${path}`, run, async () =>
    outcomesOf(await documents.append(at(path), makeRecord(run), stampOf(run))),
  );
}

async function replace(path = pick(sharedPaths)): Promise<void> {
  const run = nextRun();
  await attempt(`replace ${path}`, run, async () =>
    outcomesOf(await documents.write(at(path), makeRecord(run), stampOf(run))),
  );
}

/** Keeps the last records that it read: if another write came in between, these would appear twice or vanish. */
async function edit(): Promise<void> {
  const [path, run] = [pick(sharedPaths), nextRun()];
  const found = await readWhole(path);
  const kept = found?.content.split("\n").slice(-4, -1) ?? [];
  const content = kept.map((line) => `${line}\n`).join("") + makeRecord(run);
  const expected = found ? { ifRev: found.rev } : { mustNotExist: true };
  await attempt(`edit ${path}`, run, async () =>
    outcomesOf(await documents.write(at(path), content, stampOf(run), expected)),
  );
}

async function create(): Promise<void> {
  const [path, run] = [pick(wanderingPaths), nextRun()];
  await attempt(`create ${path}`, run, async () =>
    outcomesOf(await documents.write(at(path), makeRecord(run), stampOf(run), { mustNotExist: true })),
  );
}

async function move(): Promise<void> {
  const [from, to, run] = [pick(wanderingPaths), pick(wanderingPaths), nextRun()];
  if (from === to) return;
  await attempt(`move ${from} to ${to}`, run, async () => {
    const result = await documents.commit(
      [at(from), at(to)],
      (current): readonly Change[] | "refused" => {
        if (!current(at(from)) || current(at(to))) return "refused";
        return [{ kind: "move", from: at(from), to: at(to) }];
      },
      stampOf(run),
    );
    return result === "refused" ? undefined : result.outcomes;
  });
}

async function remove(): Promise<void> {
  const [path, run] = [pick([...wanderingPaths, ...sharedPaths]), nextRun()];
  await attempt(`remove ${path}`, run, async () => outcomesOf(await documents.remove(at(path), stampOf(run))));
}

/** Two or three documents of different kinds at once: all or nothing. */
async function commitSeveral(): Promise<void> {
  const run = nextRun();
  const paths = [...new Set([pick(sharedPaths), pick(sharedPaths), pick(wanderingPaths)])];
  await attempt(`commit ${paths.join(", ")}`, run, async () => {
    const result = await documents.commit(
      paths.map(at),
      (current): readonly Change[] =>
        paths.map((path, index): Change => {
          const content = makeRecord(`${run}.${index}`);
          const found = current(at(path));
          if (found && wanderingPaths.includes(path)) return { kind: "remove", at: at(path) };
          const grown = (found?.content.length ?? 0) > maxContent;
          return { kind: grown ? "put" : "append", at: at(path), content };
        }),
      stampOf(run),
    );
    return result.outcomes;
  });
}

async function readSome(): Promise<void> {
  for (const path of [pick(sharedPaths), pick(wanderingPaths), pick(sharedPaths)]) await readWhole(path);
}

const mix = [append, append, append, append, replace, edit, edit, create, create, move, move, remove, commitSeveral];

async function recoverAtStart(): Promise<void> {
  if (Math.random() < 0.5) await store.recover();
}

await attempt("recover", nextRun(), async () => void (await recoverAtStart()));
// Ends with the rig, also where that was killed itself.
for (const rig = process.ppid; process.ppid === rig; ) {
  const act = pick([...mix, commitSeveral, readSome, readSome]);
  await act().catch((error: unknown) => {
    log.write({ kind: "failed", run: "", says: `${act.name}: ${error instanceof Error ? error.stack : error}` });
  });
}
