import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openFilesStore } from "../src/backends/files/store.ts";
import { openGitHistory } from "../src/history/git/history.ts";
import { revisionOf } from "../src/kernel/revision.ts";
import type { Operation, RootHistory } from "../src/kernel/root-history.ts";
import { disconnected, doubled, missing } from "./history-judge.ts";
import { isRecorderMark, recorderMarks } from "./history-marks.ts";

const worker = fileURLToPath(new URL("./history-worker.ts", import.meta.url));

/** A run of the recorder takes some hundred milliseconds where four write on two cores, and kills must fall into it. */
const longestDelayMs = 300;

export interface WritersReport {
  /** Revisions that were acknowledged, and how many removals. */
  readonly acknowledged: readonly string[];
  readonly kills: number;
  /** How often one of them came to an end with recording something, and how often it was killed in the middle. */
  readonly recorded: number;
  readonly cutOff: number;
  /** How often one of them ended by itself before its time. */
  readonly failed: number;
}

/** Several processes write and record in one folder, and are killed again and again, with or without their git. */
export async function letWritersWrite(options: {
  readonly folder: string;
  readonly writers: number;
  readonly revisions: number;
  /** Another build of the worker than this one. */
  readonly program?: string;
}): Promise<WritersReport> {
  const acknowledged: string[] = [];
  let [kills, recorded, cutOff, failed] = [0, 0, 0, 0];
  const one = async (index: number) => {
    for (let turn = 0; acknowledged.length < options.revisions; turn += 1) {
      const args = [options.program ?? worker, options.folder, `agent:${index}-${turn}`, String(options.revisions)];
      // A group of its own: a kill can take the git that it started, too.
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], detached: true });
      let said = "";
      const spared = Math.random() * 20;
      const isDue = Promise.withResolvers<void>();
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (said.split("\n").length > spared) isDue.resolve();
      });
      const ended = new Promise((resolve) => child.once("close", resolve));
      // By what it has done and not by the clock, which a busy machine makes meaningless.
      await Promise.race([ended, isDue.promise.then(() => delay(Math.random() * longestDelayMs))]);
      if (child.exitCode === null && child.pid !== undefined) {
        kills += 1;
        const isAll = Math.random() < 0.5;
        process.kill(isAll ? -child.pid : child.pid, "SIGKILL");
      }
      await ended;
      if (child.exitCode !== null && child.exitCode !== 0) failed += 1;
      const lines = said.split("\n").slice(0, -1);
      acknowledged.push(...lines.filter((line) => !isRecorderMark(line)));
      recorded += lines.filter((line) => line === recorderMarks.recorded).length;
      if (lines.findLast(isRecorderMark) === recorderMarks.begun) cutOff += 1;
    }
  };
  await Promise.all(Array.from({ length: options.writers }, (_, index) => one(index)));
  return { acknowledged, kills, recorded, cutOff, failed };
}

export interface HistoryCheck {
  readonly violations: readonly string[];
  readonly revisions: number;
}

/** Whether history has every acknowledged revision, byte for byte, none of them twice, and each where it belongs. */
export async function checkHistory(
  folder: string,
  { acknowledged, kills }: Pick<WritersReport, "acknowledged" | "kills">,
): Promise<HistoryCheck> {
  const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder }] });
  const history = openGitHistory({ trail: store.trail("notes"), env: process.env, now: Date.now });
  const violations: string[] = [];
  try {
    const caughtUp = await history.catchUp({ waitMs: 60_000 });
    if (caughtUp.kind !== "recorded") violations.push(`the last catch-up was ${caughtUp.kind}`);
    const operations = await allOperations(history);
    const changes = operations.flatMap((operation) => operation.changes.map((change) => ({ operation, change })));
    const written = changes.filter(({ change }) => change.rev !== undefined);
    const contents = await history.contents(
      written.map(({ operation, change }) => ({ id: operation.id, path: change.path, side: "after" as const })),
    );
    for (const [index, { operation, change }] of written.entries()) {
      const bytes = contents[index];
      const rev = bytes && revisionOf(bytes);
      if (rev !== change.rev) violations.push(`${operation.id} says ${change.rev} of ${change.path} and holds ${rev}`);
    }
    const recorded = written
      .filter(({ operation }) => operation.author !== "outside")
      .map(({ change }) => change.rev as string);
    violations.push(
      ...missing(
        acknowledged.filter((rev) => rev !== "gone"),
        recorded,
      ),
    );
    const newestFirst = changes.map(({ change }) => change);
    violations.push(...doubled(newestFirst), ...disconnected(newestFirst));
    const outside = operations.filter(({ author }) => author === "outside");
    if (outside.length > 0) violations.push(`${outside.length} operations are said to be from outside`);
    // A move leaves two changes of one acknowledgement; what was killed before it was acknowledged may be there too.
    const texts = changes.filter(({ operation, change }) => operation.author !== "outside" && change.kind !== "move");
    const acked = acknowledged.length;
    if (texts.length > acked + 2 * kills)
      violations.push(`${texts.length} changes of ${acked} acknowledged and ${kills} kills`);
    return { violations, revisions: written.length };
  } finally {
    await history.close();
    await store.close();
  }
}

async function allOperations(history: RootHistory): Promise<Operation[]> {
  const all: Operation[] = [];
  for (let after: string | undefined; ; ) {
    const page = await history.log({ limit: 500, after });
    all.push(...page.operations);
    if (page.next === undefined) return all;
    after = page.next;
  }
}
