import { importRuns } from "./import-runs.ts";
import type { RecordedState } from "./recorded-state.ts";
import { type RunContext, recordRun } from "./recorder.ts";
import type { RunResult } from "./run-writer.ts";
import { writeStateFile } from "./state-file.ts";
import { toTipNote } from "./tip-note.ts";

/** While others write without a pause, somebody else may go on. */
const maxRuns = 5;

/** Runs until nothing is left. With the recorder's lock held, which nobody has to wait for. */
export async function recordRuns(
  state: RecordedState,
  context: RunContext,
  /** True the first time: also what somebody recorded who was killed before it came to release it. */
  { releasesAll }: { readonly releasesAll: boolean },
): Promise<RunResult> {
  const { trail } = context;
  let [current, operations] = [state, 0];
  // The file of the state is left to the end: it is as large as there are documents.
  for await (const run of importRuns(current, context)) {
    noteTip(current, run.state, context);
    current = run.state;
    operations += run.operations;
  }
  for (let runs = 0, more = true; more && runs < maxRuns; runs += 1) {
    const before: RecordedState = current;
    const run = await recordRun(before, context);
    current = run.state;
    operations += run.operations;
    more = run.more;
    await keepStand(before, current, context);
    const moved = Object.entries(current.positions).filter(([folder, at]) => before.positions[folder] !== at);
    await trail.release(releasesAll && runs === 0 ? current.positions : Object.fromEntries(moved));
  }
  return { state: current, operations };
}

async function keepStand(before: RecordedState, now: RecordedState, context: RunContext): Promise<void> {
  const isChanged = now.tip !== before.tip || now.documents.isChanged();
  if (isChanged) await writeStateFile(context.repository.folder, now, context.pace);
  noteTip(before, now, context);
}

function noteTip(before: RecordedState, now: RecordedState, { trail }: RunContext): void {
  if (now.tip !== before.tip) trail.noteTip(toTipNote(now.tip));
}
