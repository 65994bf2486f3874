import type { FaultCase, Texts } from "./faults-cases.ts";
import type { Answer } from "./faults-child.ts";
import { sameTexts } from "./faults-folder.ts";

/** What was seen of one operation under a fault. */
export interface Sight {
  readonly answer: Answer | undefined;
  /** The documents on disk right after the answer. */
  readonly found: Texts;
  /** The calls that failed, as strace printed them. */
  readonly hits: readonly string[];
}

/** What a failed sync may never be forgiven for: new content, an intent, or the folder of a document. */
const vitalSync = /fsync\(\d+<(.*\/(new-\d+|intent-draft)|(?!.*\.recollect).*)>\)/;

/** The promises of KER-4, KER-9 and KER-10 about one answer; each broken one as a sentence. */
export function judgeAnswer(test: FaultCase, { answer, found, hits }: Sight): string[] {
  if (!answer) return ["no answer: the operation hangs"];
  const problems = answer.weakLocks.map((name) => `the lock “${name}” is open read-only and excludes nobody`);
  if (answer.ok) {
    if (!sameTexts(found, test.after)) problems.push(`acknowledged, but on disk is ${show(found)}`);
    if (hits.some((hit) => vitalSync.test(hit))) problems.push("acknowledged although a vital sync failed");
    return problems;
  }
  problems.push(...judgeError(answer));
  // A commit that was cut off, or could not be taken back, may be half done until recovery, which is judged below.
  if (test.past !== "commit was cut off" && !needsRecovery(answer) && !sameTexts(found, test.before)) {
    problems.push(`refused, but on disk is ${show(found)}`);
  }
  return problems;
}

/** The one honest answer where an operation can be neither finished nor taken back. */
export function needsRecovery(answer: Answer | undefined): boolean {
  return answer?.error?.code === "RECOVERY_NEEDED";
}

function judgeError({ error }: Answer): string[] {
  if (!error) return ["refused without an error"];
  const problems: string[] = [];
  if (!error.typed) problems.push(`the error is not typed: ${error.message}`);
  if (/(^|[\s“"'(:])\/\w/.test(error.message)) problems.push(`the message holds a host path: ${error.message}`);
  return problems;
}

/** After recovery by another process: all or nothing as answered, no leftovers, everything readable. */
export function judgeRecovery(
  expected: Texts,
  seen: { readonly recovered: Answer | undefined; readonly read: Answer | undefined },
  disk: { readonly found: Texts; readonly leftovers: readonly string[] },
): string[] {
  const { recovered, read } = seen;
  if (!recovered?.ok) return [`recovery failed: ${recovered?.error?.message ?? "it hangs"}`];
  const problems: string[] = [];
  if (!sameTexts(disk.found, expected)) problems.push(`after recovery on disk is ${show(disk.found)}`);
  if (!read?.ok || !sameTexts(read.texts ?? {}, expected)) {
    problems.push(`after recovery cannot be read: ${read?.error?.message ?? show(read?.texts ?? {})}`);
  }
  if (disk.leftovers.length > 0) problems.push(`recovery left ${disk.leftovers.join(", ")}`);
  return problems;
}

function show(texts: Texts): string {
  return JSON.stringify(texts);
}
