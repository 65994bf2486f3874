import type { SessionEntry } from "./session-log.ts";

/** Why the next session should know of something that happened in this one (USE-7). */
export type Evidence =
  /** An error came back after something was done to repair it, and then it was repaired in another way. */
  | { readonly kind: "repaired"; readonly failures: number }
  | { readonly kind: "corrected" }
  /** A recalled record names a file that was then changed. */
  | { readonly kind: "outdated" }
  /** A search found nothing, and then it was long work. */
  | { readonly kind: "missed"; readonly files: number };

type Ran = Extract<SessionEntry, { t: "failed" | "passed" }>;

interface OpenError {
  /** It was only printed, by a command that ended well, such as one that shows a log after a restart. */
  isPrinted: boolean;
  readonly lines: Set<string>;
  /** The first line of the last time. */
  last: string | undefined;
  /** The programs that failed with it, and their whole commands. */
  readonly programs: Set<string>;
  readonly commands: Set<string>;
  /** A test that fails after the session began to change files may be written before its code. */
  readonly isTestFirst: boolean;
  failures: number;
  /** How often it came back after something was done about it. */
  returns: number;
  isTriedSince: boolean;
}

/** While code is written test first, a test fails for as long as the code is not done. */
const testFirstReturns = 3;
/** Work that a record would have made shorter: so many edits and commands after a search that found nothing. */
const missedSteps = 7;
const steps: ReadonlySet<SessionEntry["t"]> = new Set(["failed", "passed", "edited"]);

/** What of a session is worth a question, oldest first; what was stored since is no longer. */
export function evidenceIn(entries: readonly SessionEntry[]): readonly Evidence[] {
  const reading = createReading();
  for (const entry of entries) reading.take(entry);
  return reading.evidence();
}

function createReading() {
  let errors: OpenError[] = [];
  let evidence: Evidence[] = [];
  let described: ReadonlySet<string> = new Set();
  let missed: { readonly files: Set<string>; steps: number } | undefined;
  let isEdited = false;

  function failed({ t, errors: lines, programs, command, isTest }: Ran): void {
    const known = errors.find((error) => lines.some((line) => error.lines.has(line)));
    if (!known) {
      errors.push({
        lines: new Set(lines),
        last: lines[0],
        programs: new Set(programs),
        commands: new Set([command]),
        isTestFirst: isTest && isEdited,
        isPrinted: t === "passed",
        failures: 1,
        returns: 0,
        isTriedSince: false,
      });
      return;
    }
    known.failures += 1;
    const isTried = known.isTriedSince || isAnotherWay(known, programs, command);
    // Where the first of many errors is gone, that is progress, and no repair that failed.
    if (isTried && known.last !== undefined && lines.includes(known.last)) known.returns += 1;
    known.last = lines[0];
    for (const line of lines) known.lines.add(line);
    for (const program of programs) known.programs.add(program);
    known.commands.add(command);
    known.isPrinted &&= t === "passed";
    known.isTriedSince = false;
  }

  function tried(files: readonly string[]): void {
    for (const error of errors) error.isTriedSince = true;
    if (!files.some((one) => described.has(one))) return;
    evidence.push({ kind: "outdated" });
    described = new Set();
  }

  function edited(files: readonly string[]): void {
    isEdited = true;
    const [file] = files;
    if (file !== undefined) missed?.files.add(file);
    tried(files);
  }

  function passed(ran: Ran): void {
    const { programs, command, errors: shown } = ran;
    errors = errors.filter((error) => {
      const isThere = error.isPrinted && shown.some((line) => error.lines.has(line));
      if (isThere || !programs.some((program) => error.programs.has(program))) return true;
      const isRepaired = error.isTriedSince || isAnotherWay(error, programs, command);
      const needed = error.isTestFirst ? testFirstReturns : 1;
      const isTelling = isRepaired && error.returns >= needed;
      if (isTelling) evidence.push({ kind: "repaired", failures: error.failures });
      // Another command of the program, such as one that shows its log, may pass while the error is there.
      return !isTelling && !error.commands.has(command);
    });
    if (shown.length > 0) failed(ran);
  }

  function take(entry: SessionEntry): void {
    if (missed && steps.has(entry.t)) missed.steps += 1;
    switch (entry.t) {
      case "failed":
        failed(entry);
        break;
      case "edited":
        edited(entry.files);
        break;
      case "passed":
        passed(entry);
        break;
      case "tried":
        tried(entry.files);
        break;
      case "described":
        described = new Set([...described, ...entry.files]);
        break;
      case "corrected":
        evidence.push({ kind: "corrected" });
        break;
      case "missed":
        missed ??= { files: new Set(), steps: 0 };
        break;
      case "stored":
        [evidence, missed] = [[], undefined];
    }
  }

  function missedWork(): readonly Evidence[] {
    const files = missed?.files.size ?? 0;
    return missed && files > 0 && missed.steps >= missedSteps ? [{ kind: "missed", files }] : [];
  }

  return { take, evidence: () => [...evidence, ...missedWork()] };
}

/** The same program with other words: a flag, another name, another message. */
function isAnotherWay(error: OpenError, programs: readonly string[], command: string): boolean {
  return programs.some((program) => error.programs.has(program)) && !error.commands.has(command);
}
