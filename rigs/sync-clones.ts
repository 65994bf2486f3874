import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { filesOf, gitEnv } from "./sync-clone.ts";
import { actions, type Step, type StepResult, wordsOf } from "./sync-steps.ts";

const worker = fileURLToPath(new URL("./sync-worker.ts", import.meta.url));
const markers = /^(?:<{7}|={7}|>{7}|\|{7})/m;
const peaceful: Step = { action: "sync", word: "", pick: 0 };
/** As often as it takes until everybody has heard of everything. */
const settlingRounds = 3;

export interface ClonesOptions {
  /** Where the remote and the clones are made. */
  readonly folder: string;
  readonly clones: number;
  /** Until so many merges were made, or so many steps done. */
  readonly merges: number;
  readonly steps: number;
  /** How many of a hundred syncs are killed. */
  readonly kills: number;
  readonly random: () => number;
  readonly program?: string;
}

export interface ClonesReport {
  readonly added: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  readonly merges: number;
  readonly kills: number;
}

type Answer = StepResult & { readonly merges: number };

/** A process with a clone, begun again after it was killed. */
function openWorker(folder: string, remote: string, program: string) {
  let child: ChildProcess | undefined;
  let answers: AsyncIterator<string> | undefined;
  let said = "";

  function start(): ChildProcess {
    const started = spawn(process.execPath, [program, folder, remote], { stdio: ["pipe", "pipe", "pipe"] });
    started.stdin?.on("error", () => {});
    started.stderr?.on("data", (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-2000);
    });
    answers = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
    return started;
  }

  return {
    /** Undefined where it was killed before it answered. */
    send: async (step: Step, killAfterMs?: number): Promise<Answer | undefined> => {
      child ??= start();
      child.stdin?.write(`${JSON.stringify(step)}\n`);
      const killed = killAfterMs === undefined ? undefined : delay(killAfterMs).then(() => child?.kill("SIGKILL"));
      const answer = await answers?.next();
      await killed;
      if (killed) child = undefined;
      if (answer && !answer.done) return JSON.parse(answer.value) as Answer;
      if (!killed) throw new Error(`A worker ended by itself: ${said}`);
      return undefined;
    },
    close: () => child?.kill("SIGKILL"),
  };
}

/** Clones that do anything and sync in any order, some of them killed meanwhile; then all of them sync in peace. */
export async function letClonesSync(options: ClonesOptions): Promise<ClonesReport> {
  const { folder, clones, random, program = worker } = options;
  const remote = join(folder, "remote.git");
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", remote], { env: gitEnv });
  const workers = Array.from({ length: clones }, (_, at) => openWorker(join(folder, `clone-${at}`), remote, program));
  const [added, deleted] = [new Set<string>(), new Set<string>()];
  let [merges, kills, usual] = [0, 0, 300];
  const nat = (below: number) => Math.floor(random() * below);
  const one = <Thing>(things: readonly Thing[]) => things[nat(things.length)] as Thing;

  async function take(step: Step, by: ReturnType<typeof openWorker>, killAfterMs?: number): Promise<void> {
    const begun = performance.now();
    const answer = await by.send(step, killAfterMs);
    if (killAfterMs !== undefined) kills += 1;
    // How long one takes, so that most of the kills meet one.
    else if (step.action === "sync") usual = 0.8 * usual + 0.2 * (performance.now() - begun);
    for (const word of answer?.added ?? []) added.add(word);
    for (const word of answer?.deleted ?? []) deleted.add(word);
    merges += answer?.merges ?? 0;
  }

  try {
    for (let count = 0; count < options.steps && merges < options.merges; count += 1) {
      // All at once: whoever is not the first has to begin again.
      if (random() < 0.06) await Promise.all(workers.map((each) => take(peaceful, each)));
      const action = random() < 0.3 ? "sync" : one(actions);
      const isKilled = action === "sync" && nat(100) < options.kills;
      await take({ action, word: `w${count}w`, pick: nat(1000) }, one(workers), isKilled ? nat(usual) : undefined);
    }
    for (let round = 0; round < settlingRounds; round += 1) {
      for (const each of workers) await take(peaceful, each);
    }
  } finally {
    for (const each of workers) each.close();
  }
  return { added, deleted, merges, kills };
}

/** What is wrong: clones that differ, words that are lost or were never written, markers, a repository that is damaged. */
export function checkClones(folder: string, clones: number, { added, deleted }: ClonesReport): string[] {
  const all = Array.from({ length: clones }, (_, index) => filesOf(join(folder, `clone-${index}`)));
  const [first = {}, ...others] = all;
  const differ = others.filter((other) => JSON.stringify(other) !== JSON.stringify(first));
  const text = Object.values(first).join("\n");
  const left = new Set(wordsOf(text));
  const fsck = execFileSync("git", ["fsck", "--strict", "--no-dangling", "--no-progress"], {
    cwd: join(folder, "remote.git"),
    env: gitEnv,
    encoding: "utf8",
  });
  const status = Array.from({ length: clones }, (_, index) =>
    execFileSync("git", ["status", "--porcelain"], {
      cwd: join(folder, `clone-${index}`),
      env: gitEnv,
      encoding: "utf8",
    }),
  );
  return [
    ...differ.map(() => "the clones differ"),
    ...[...added].filter((word) => !left.has(word) && !deleted.has(word)).map((word) => `${word} is lost`),
    ...[...left].filter((word) => !added.has(word)).map((word) => `${word} came from nowhere`),
    ...(markers.test(text) ? ["there is a conflict marker"] : []),
    ...(fsck === "" ? [] : [`fsck: ${fsck}`]),
    ...status.filter((said) => said !== "").map((said) => `git status is not clean: ${said}`),
  ];
}
