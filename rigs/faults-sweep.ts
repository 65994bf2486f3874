import { rmSync } from "node:fs";
import { join } from "node:path";
import type { FaultCase, PlainChange, Texts } from "./faults-cases.ts";
import type { Answer } from "./faults-child.ts";
import { copyFolder, leftoversIn, prepareFolder, textsIn } from "./faults-folder.ts";
import { type Fault, inject, isWakeUp } from "./faults-inject.ts";
import { judgeAnswer, judgeRecovery, needsRecovery, type Sight } from "./faults-judge.ts";
import { startWorker, type Worker } from "./faults-worker.ts";

export interface Failure {
  readonly test: string;
  readonly fault: string;
  readonly hit: string;
  readonly problems: readonly string[];
  /** Where the error came from, for whoever mends it. */
  readonly stack: string;
}

export interface SweepResult {
  injected: number;
  /** Where a wake-up of the event loop was hit, which is not judged. */
  leftOut: number;
  refused: number;
  tolerated: number;
  /** Refused with RECOVERY_NEEDED under a lasting fault, and carried out by recovery. */
  decidedByRecovery: number;
  /** Operations after which the process kept descriptors that it had no use for. */
  readonly leaks: string[];
  readonly failures: Failure[];
}

export interface Sweep {
  run(test: FaultCase, faults: readonly Omit<Fault, "occurrence">[]): Promise<void>;
  readonly result: SweepResult;
  end(): Promise<void>;
}

/** `again` is a change that no case makes, for a store whose operation was acknowledged. */
const again: PlainChange = { kind: "put", path: "again.md", content: "still usable\n" };

/** How often to try where a wake-up is hit. */
const maxAttempts = 3;

export function createSweep(source: string, workspace: string): Sweep {
  const result: SweepResult = {
    injected: 0,
    leftOut: 0,
    refused: 0,
    tolerated: 0,
    decidedByRecovery: 0,
    leaks: [],
    failures: [],
  };
  let subject = startWorker(source);
  let checker = startWorker(source);
  const [root, copy] = [join(workspace, "root"), join(workspace, "copy")];

  async function run(test: FaultCase, faults: readonly Omit<Fault, "occurrence">[]): Promise<void> {
    const template = join(workspace, "template");
    rmSync(template, { recursive: true, force: true });
    await prepareFolder(template, test, source);
    for (const fault of faults) {
      for (let occurrence = 1; await injectAt(test, { ...fault, occurrence }, template); ) occurrence += 1;
    }
  }

  /** False where the operation makes fewer such calls. A wake-up does not come at the same moment each time. */
  async function injectAt(test: FaultCase, fault: Fault, template: string): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      const hit = await injectOnce(test, fault, template);
      if (hit !== "wake-up" || attempt === maxAttempts) return hit !== "nothing";
    }
  }

  async function injectOnce(test: FaultCase, fault: Fault, template: string): Promise<"store" | "wake-up" | "nothing"> {
    for (const folder of [root, copy]) rmSync(folder, { recursive: true, force: true });
    copyFolder(template, root);
    const idle = (await subject.ask({ do: "open", root }))?.descriptors ?? 0;
    const injection = await inject(subject.pid, fault, join(workspace, "strace"));
    const answer = await subject.ask({ do: "commit", changes: test.changes });
    const hits = await injection.end();
    if (hits.length === 0) {
      await subject.ask({ do: "close" });
      return "nothing";
    }
    if (hits.some(isWakeUp)) {
      result.leftOut += 1;
      await restart();
      return "wake-up";
    }
    result.injected += 1;
    if (answer?.ok) result.tolerated += 1;
    else result.refused += 1;
    const problems = await judge(test, fault, { answer, found: textsIn(root), hits });
    const closed = await subject.ask({ do: "close" });
    if (closed && closed.descriptors > idle) {
      result.leaks.push(`${test.name}: ${hits[0]}`);
      // The store looks at every open descriptor: with a leaked one it makes more calls, and the sweep would not end.
      await restart();
    }
    if (problems.length > 0) result.failures.push(toFailure(test, fault, hits, problems, answer));
    return "store";
  }

  async function judge(test: FaultCase, fault: Fault, sight: Sight): Promise<string[]> {
    const { answer } = sight;
    const problems = judgeAnswer(test, sight);
    copyFolder(root, copy);
    const recovered = await recoverElsewhere(copy, answer?.ok ? test.after : test.before);
    // Only a fault that lasts may make it impossible to take an operation back; then recovery decides.
    const decided = recovered.length > 0 && fault.lasting === true && needsRecovery(answer);
    if (decided) result.decidedByRecovery += 1;
    problems.push(...(decided ? await recoverElsewhere(copy, test.after) : recovered));
    if (answer) problems.push(...(await useAgain(test, answer.ok || decided)));
    else await restart();
    return problems;
  }

  /** The same store goes on: what was refused can be done now, what was done can be followed by more. */
  async function useAgain(test: FaultCase, acknowledged: boolean): Promise<string[]> {
    const answer = await subject.ask({ do: "commit", changes: acknowledged ? [again] : test.changes });
    if (!answer) {
      await restart();
      return ["the store is not usable afterwards: it hangs"];
    }
    if (!answer.ok) return [`the store is not usable afterwards: ${answer.error?.stack}`];
    const expected = acknowledged ? { ...test.after, "again.md": "still usable\n" } : test.after;
    return (await recoverElsewhere(root, expected)).map((problem) => `used again: ${problem}`);
  }

  /** In a process that knows nothing of what happened. */
  async function recoverElsewhere(folder: string, expected: Texts): Promise<string[]> {
    await checker.ask({ do: "open", root: folder });
    const recovered = await checker.ask({ do: "recover" });
    const read = await checker.ask({ do: "read", paths: Object.keys(expected) });
    await checker.ask({ do: "close" });
    const disk = { found: textsIn(folder), leftovers: leftoversIn(folder) };
    return judgeRecovery(expected, { recovered, read }, disk);
  }

  async function restart(): Promise<void> {
    await end();
    subject = startWorker(source);
    checker = startWorker(source);
  }

  async function end(): Promise<void> {
    const workers: Worker[] = [subject, checker];
    await Promise.all(workers.map((worker) => worker.stop()));
  }

  return { run, result, end };
}

function toFailure(
  test: FaultCase,
  { call, error, occurrence, lasting }: Fault,
  hits: readonly string[],
  problems: readonly string[],
  answer: Answer | undefined,
): Failure {
  const fault = `${call} ${occurrence}${lasting ? "+" : ""} ${error}`;
  return { test: test.name, fault, hit: hits[0] ?? "", problems, stack: answer?.error?.stack ?? "" };
}
