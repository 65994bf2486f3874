import { unifiedLines } from "../text/unified-text.ts";
import { placeFile, type UserFolders } from "./client-places.ts";
import type { Client, Scope } from "./clients.ts";
import { missingFolders, readConfigFile } from "./config-file.ts";
import { type FilePlan, nothingFound, planNothing } from "./file-plan.ts";
import type { Piece } from "./pieces.ts";
import { takeAll } from "./plan-removal.ts";
import { filesOf, type PlannedFile, type PlanRequest, placeOfRules, projectOwner } from "./planned-file.ts";
import { ignoredParts, ignorePiece, instructionsPiece } from "./project-pieces.ts";
import { openSetupRecords, type SetupRecord, type SetupRecords, stepBetween, stepsTo } from "./setup-record.ts";

export interface SetupRequest extends PlanRequest {
  readonly clients: readonly Client[];
  readonly scope: Scope;
}

export function planSetup(request: SetupRequest): FilePlan[] {
  const records = openSetupRecords(request);
  return request.clients.flatMap((client) => filesOf({ ...request, client }).map((file) => planFile(file, records)));
}

export interface ProjectFilesRequest extends UserFolders {
  readonly project: string;
  readonly scope: Scope;
  /** The file of ignore rules, with the rules that go into it. */
  readonly ignores?: {
    readonly file: string;
    /** It is written nowhere else. */
    readonly below: string;
    readonly notes: readonly string[];
    readonly clients: readonly string[];
  };
  /** Whether AGENTS.md tells agents of the tools. */
  readonly instructs: boolean;
}

/** What is written into the project itself, whichever clients there are. */
export function planProjectFiles(request: ProjectFilesRequest): FilePlan[] {
  const { project, scope, ignores, instructs } = request;
  const records = openSetupRecords(request);
  const pieces = ignoredParts.flatMap((part) => {
    const rules = ignores?.[part] ?? [];
    return rules.length === 0 ? [] : [ignorePiece(ignores?.file ?? "", part, rules)];
  });
  const files = [
    ...(ignores === undefined || pieces.length === 0
      ? []
      : [{ ...placeOfRules(ignores.file, project, ignores.below), pieces }]),
    ...(instructs ? [{ ...placeFile(instructionsPiece.file, {}, request), pieces: [instructionsPiece] }] : []),
  ];
  return files.map((file) => planFile({ client: projectOwner, scope, project, ...file }, records));
}

function planFile(file: PlannedFile, records: SetupRecords): FilePlan {
  const { path, pieces } = file;
  const read = readConfigFile(file);
  const before = read.kind === "present" ? read.text : undefined;
  const plan = planNothing(file, before, records, false);
  if (read.kind === "refused") return { ...plan, status: "refused", reason: read.reason };
  const found = pieces.find(({ inspect }) => inspect)?.inspect?.(before ?? "") ?? nothingFound;
  const known = before === undefined ? undefined : knownOf(records.find(path), before, pieces);
  const former = before === undefined || known === undefined ? [] : stepsTo(before, known);
  const { text, steps, reasons, replaces } = putAll(pieces, before ?? "", former.length > 0);
  const reason = reasons.length === 0 ? {} : { reason: reasons.join("; ") };
  if (steps.length === 0) {
    const status = reasons.length > 0 ? "refused" : "unchanged";
    return { ...plan, ...found, ...reason, status, replaces: false };
  }
  // Steps lead back only from a text that we left: after a change by others, what is ours is looked for.
  const record = recordOf(file, before, known, former.length === 0 && known !== undefined ? [] : [...former, ...steps]);
  const spans = pieces.find(({ spans }) => spans)?.spans?.(text).entry?.spans ?? [];
  const status = before === undefined ? "new" : "changed";
  return {
    ...plan,
    ...found,
    ...reason,
    status,
    replaces,
    after: text,
    diff: unifiedLines(before ?? "", text, spans),
    record,
  };
}

/** What the first `init` found stays known, however often a later one writes. */
function recordOf(
  { client, scope, project, path, pieces }: PlannedFile,
  before: string | undefined,
  known: SetupRecord | undefined,
  steps: SetupRecord["steps"],
): SetupRecord {
  const { existed, folders, had, clients } = known ?? {
    existed: before !== undefined,
    folders: missingFolders(path),
    had: [...new Set(pieces.flatMap((piece) => piece.had(before ?? "")))],
    clients: [],
  };
  return {
    file: path,
    scope,
    project,
    clients: [...new Set([...clients, client.name])],
    existed,
    folders,
    had,
    steps,
  };
}

/** A record of a file that has nothing of ours any more says nothing about it. */
function knownOf(record: SetupRecord | undefined, text: string, pieces: readonly Piece[]): SetupRecord | undefined {
  if (record === undefined || stepsTo(text, record).length > 0) return record;
  return takeAll(pieces, text, record).kind === "unchanged" ? undefined : record;
}

/** One part after the other; one that cannot be put in does not stop the others, unless nothing can be. */
function putAll(pieces: readonly Piece[], before: string, wasOurs: boolean) {
  const steps: ReturnType<typeof stepBetween>[] = [];
  const reasons = new Set<string>();
  let [text, replaces] = [before, false];
  for (const piece of pieces) {
    const edit = piece.put(text, wasOurs);
    if (edit.kind === "refused") reasons.add(edit.reason);
    if (edit.kind !== "changed") continue;
    steps.push(stepBetween(text, edit.text));
    text = edit.text;
    replaces ||= edit.replaces;
  }
  return { text, steps, reasons: [...reasons], replaces };
}
