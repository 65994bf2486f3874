import { unifiedLines } from "../text/unified-text.ts";
import type { Client, Scope } from "./clients.ts";
import { readConfigFile } from "./config-file.ts";
import type { Edit } from "./edit.ts";
import { type FilePlan, planNothing } from "./file-plan.ts";
import type { Piece } from "./pieces.ts";
import { filesOf, filesOfRecord, type PlannedFile, type PlanRequest, projectFilesOf } from "./planned-file.ts";
import { openSetupRecords, type SetupRecord, type SetupRecords, stepsTo, undoSteps } from "./setup-record.ts";

export interface RemovalRequest extends PlanRequest {
  readonly clients: readonly Client[];
  /** Whether what was written into the project itself stays: only some clients are taken out. */
  readonly leavesProject: boolean;
  /** Of what the records name. */
  readonly scopes: readonly Scope[];
  /** Where else to look for what holds something of ours without a record. */
  readonly looksIn: readonly Scope[];
}

/** The files without what is ours: those that the records name, and others that hold something of ours. */
export function planRemoval(request: RemovalRequest): FilePlan[] {
  const { clients, scopes, looksIn } = request;
  const records = openSetupRecords(request);
  const owners: readonly string[] = [...clients.map(({ name }) => name), ...(request.leavesProject ? [] : ["project"])];
  const known = records
    .list()
    .filter(({ scope, clients: names }) => scopes.includes(scope) && names.some((name) => owners.includes(name)));
  const recorded = known.flatMap((record) => filesOfRecord(record, request, clients));
  const looksInProject = looksIn.includes("project") && !request.leavesProject;
  const others = looksIn
    .flatMap((scope) => clients.flatMap((client) => filesOf({ ...request, client, scope })))
    .concat(looksInProject ? projectFilesOf(request) : [])
    .filter(({ path }) => !recorded.some((file) => file.path === path));
  const byPath = new Map([...others, ...recorded].map((file) => [file.path, file]));
  return [...byPath.values()]
    .map((file) => planTakingOut(file, records))
    .filter(({ status, record }) => status !== "unchanged" || record !== undefined)
    .sort((one, other) => one.title.localeCompare(other.title) || one.shown.localeCompare(other.shown));
}

function planTakingOut(file: PlannedFile, records: SetupRecords): FilePlan {
  const record = records.find(file.path);
  const read = readConfigFile(file);
  const before = read.kind === "present" ? read.text : undefined;
  const plan = { ...planNothing(file, before, records, true), ...(record === undefined ? {} : { record }) };
  if (read.kind === "refused") return record === undefined ? plan : { ...plan, status: "refused", reason: read.reason };
  if (before === undefined) return plan;
  const steps = record === undefined ? [] : stepsTo(before, record);
  if (steps.length === 0 && file.pieces.length === 0) return { ...plan, status: "refused", reason: misplaced };
  const edit = steps.length > 0 ? undone(before, steps, record) : takeAll(file.pieces, before, record);
  switch (edit.kind) {
    case "refused":
      // A broken file that never heard of us is none of our business.
      return record === undefined && !before.includes("recollect")
        ? plan
        : { ...plan, status: "refused", reason: edit.reason };
    case "unchanged":
      return plan;
    case "emptied":
      return { ...plan, status: "deleted", after: undefined, diff: unifiedLines(before, "") };
    case "changed":
      return { ...plan, status: "changed", after: edit.text, diff: unifiedLines(before, edit.text) };
  }
}

const misplaced = "it has changed since init, and its client looks elsewhere now; take recollect out of it yourself";

function undone(text: string, steps: ReturnType<typeof stepsTo>, record: SetupRecord | undefined): Edit {
  const original = undoSteps(text, steps);
  if (original === "" && record?.existed === false) return { kind: "emptied", text: "" };
  return { kind: "changed", text: original, replaces: false };
}

/** From the last part to the first: what one made for itself is blank when its own turn comes. */
export function takeAll(pieces: readonly Piece[], before: string, record: SetupRecord | undefined): Edit {
  let text = before;
  let isEmptied = false;
  for (const piece of pieces.toReversed()) {
    const edit = piece.take(text, record?.had ?? [], false);
    if (edit.kind === "refused") return edit;
    if (edit.kind === "unchanged") continue;
    text = edit.text;
    isEmptied = edit.kind === "emptied";
  }
  // A file that was there before stays, though nothing is left in it.
  if (isEmptied && record?.existed !== true) return { kind: "emptied", text };
  return text === before ? { kind: "unchanged" } : { kind: "changed", text, replaces: false };
}
