import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import {
  type Conflicts,
  type ConflictView,
  isRecollectError,
  type KeepChoice,
  keepChoices,
  type NamedConflict,
  RecollectError,
  type Settled,
  type UnsettledConflict,
  type Workspace,
} from "../app.ts";
import { discard, editFile, keepFile, withPlace } from "./edited-file.ts";
import { exitCodes, type Io, print, printable, printableText, shellWord } from "./output.ts";
import { ownRefusals } from "./own-guard.ts";
import { type TextOptions, textOf, withTextOptions } from "./text-input.ts";
import { type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

type ResolveOptions = WorkspaceOptions &
  TextOptions & {
    readonly keep?: KeepChoice;
    readonly dryRun?: boolean;
  };

/** `recollect resolve`: what merges could not decide, for a person who can. */
export function resolveCommand(io: Io, setExitCode: (code: number) => void): Command {
  return withTextOptions(withWorkspaceOptions(new Command("resolve")))
    .description("list, compare and settle what a merge could not decide; both versions stay in history")
    .argument(
      "[name]",
      "a conflict, or the note that it belongs to, by its name or as FOLDER/PATH; without it, all of them are listed",
    )
    .addOption(
      new Option(
        "--keep <choice>",
        "ours: what has the name; theirs: the other version; both: as two notes; merged: a text of yours",
      ).choices(keepChoices),
    )
    .option("--dry-run", "only show what would be done")
    .option("--json", "answer with one JSON object")
    .action((name: string | undefined, options: ResolveOptions) =>
      withWorkspace(io, options, async (workspace) => {
        const conflicts = await workspace.conflicts();
        if (name === undefined) return list(io, options, conflicts, setExitCode);
        const found = await conflicts.find(name);
        if (found.kind === "decided") return decide(io, options, conflicts, found.unsettled);
        const view = await conflicts.show(found.conflict.at);
        if (options.keep === undefined) return compare(io, options, view);
        return settle(io, options, { keep: options.keep, view, conflicts, workspace });
      }),
    )
    .addHelpText(
      "after",
      `
Where one side deleted what the other changed, --keep ours lets it stay and --keep theirs deletes it. Where both versions
of an entry are in a file, take one out with an editor, or let both stay with --keep both; likewise for two names.

With --keep merged the text comes from --content, --file or standard input, else from your editor, which opens on both
versions. The list ends with exit code 4 while there is anything in it.

Examples:
  $ recollect resolve                          what waits
  $ recollect resolve build                    what differs
  $ recollect resolve build --keep theirs
  $ recollect resolve build --keep merged < build.md`,
    );
}

async function list(
  io: Io,
  { json = false, keep }: ResolveOptions,
  conflicts: Conflicts,
  setExitCode: (code: number) => void,
): Promise<void> {
  if (keep !== undefined)
    throw new RecollectError("INVALID_ARGUMENT", "Which one? Give its name. See: recollect resolve");
  const [all, others] = [await conflicts.list(), await conflicts.unsettled()];
  const lines = [
    ...all.flatMap((one) => [
      `${one.name}  another version of ${one.originalName}`,
      `  recollect resolve ${shellWord(callOf(one, all))}`,
    ]),
    ...others.flatMap((one) => [`${one.name}  ${one.says}`, ...waysOf(one).map((way) => `  ${way}`)]),
  ];
  print(io, json, lines.map(printable).join("\n") || "No conflicts wait.", {
    conflicts: all.map(({ name, originalName, at }) => ({ name, ...at, of: originalName })),
    unsettled: others.map(toJson),
  });
  if (all.length + others.length > 0) setExitCode(exitCodes.conflict);
}

/** What means this one alone: folders may hold notes of one name, and a name may be spelled like another's place. */
function callOf(conflict: NamedConflict, all: readonly NamedConflict[]): string {
  const { name } = conflict;
  const placeOf = ({ at }: NamedConflict) => `${at.root}/${at.path}`;
  const others = all.filter((one) => one !== conflict);
  const isOnly = others.every((one) => one.name !== name && ![name, `${name}.md`].includes(placeOf(one)));
  return isOnly ? name : placeOf(conflict);
}

/** How it is settled, one way a line. */
function waysOf({ name, choices, byHand }: UnsettledConflict): string[] {
  return [
    ...choices.map(({ keep, does }) => `recollect resolve ${shellWord(name)} --keep ${keep}: ${does}`),
    ...(byHand === undefined ? [] : [`or ${byHand}`]),
  ];
}

function toJson({ name, at, conflict, says, choices, byHand }: UnsettledConflict) {
  const ways = choices.map(({ keep, does }) => ({ keep, does }));
  return { name, ...at, kind: conflict.kind, says, choices: ways, ...(byHand === undefined ? {} : { byHand }) };
}

async function decide(
  io: Io,
  { json = false, keep, dryRun = false }: ResolveOptions,
  conflicts: Conflicts,
  unsettled: UnsettledConflict,
): Promise<void> {
  const { name, says } = unsettled;
  if (keep === undefined) {
    print(io, json, [`${name}: ${says}`, ...waysOf(unsettled)].map(printable).join("\n"), toJson(unsettled));
    return;
  }
  const { seen } = await conflicts.look(unsettled);
  await conflicts.settleUnsettled(unsettled, { keep, seen }, { dryRun });
  const does = unsettled.choices.find((one) => one.keep === keep)?.does ?? "";
  const end = dryRun ? " (nothing was done)" : "";
  print(io, json, printable(`${name}: settled, ${does}${end}.`), { ...toJson(unsettled), keep, dryRun });
}

function compare(io: Io, { json = false }: ResolveOptions, view: ConflictView): void {
  const { name, originalName, ours, theirs, diff } = view;
  if (json) {
    print(io, true, "", { name, ...view.at, of: originalName, ours, theirs, diff });
    return;
  }
  if (diff === undefined)
    io.out(`${printable(name)} or ${printable(originalName)} is no text, so nothing is compared.\n`);
  else io.out(diff === "" ? "Both say the same.\n" : printableText(io, diff));
  if (io.terminal) io.out(`\nSettle it with: recollect resolve ${shellWord(name)} --keep ours|theirs|both|merged\n`);
}

interface Settling {
  readonly keep: KeepChoice;
  readonly view: ConflictView;
  readonly conflicts: Conflicts;
  readonly workspace: Workspace;
}

async function settle(io: Io, options: ResolveOptions, settling: Settling): Promise<void> {
  const { keep, view, conflicts } = settling;
  const { json = false, dryRun = false } = options;
  const seen = { ours: view.ours?.rev, theirs: view.theirs.rev };
  const isText = view.diff !== undefined;
  const act = (text?: string) =>
    conflicts[dryRun ? "preview" : "settle"](view, { keep, text, ...(isText ? { seen } : {}) });
  const settled = keep === "merged" ? await settleMerged(io, options, settling, act) : await act();
  print(io, json, printable(`${wordsOf(settled, view)}${dryRun ? " (nothing was done)" : ""}`), {
    name: view.name,
    ...view.at,
    of: view.originalName,
    keep,
    rev: settled.rev,
    ...(settled.kept ? { kept: settled.kept } : {}),
    dryRun,
  });
}

async function settleMerged(
  io: Io,
  options: ResolveOptions,
  { view, workspace }: Settling,
  act: (text: string) => Promise<Settled>,
): Promise<Settled> {
  const isGiven = options.content !== undefined || options.file !== undefined || !io.terminal;
  if (isGiven || view.both === undefined) return act(await textOf(io, options));
  const file = editFile(io, view.both, "Give the text with --file");
  const text = readFileSync(file, "utf8");
  try {
    const settled = await act(text);
    discard(file);
    return settled;
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    const kept = keepFile(file, text, error, await ownRefusals(workspace));
    throw withPlace(error, kept, (place) => `Go on with the same command and --file ${shellWord(place)}.`);
  }
}

function wordsOf({ keep, rev, kept }: Settled, { name, originalName, ours }: ConflictView): string {
  const now = rev ? ` (rev ${rev})` : "";
  switch (keep) {
    case "ours":
      return `${originalName} stays ${ours ? "as it is" : "without a document"}${now}; ${name} is in history.`;
    case "theirs":
      return `${originalName} is the other version now${now}; what it was is in history.`;
    case "both":
      return `Both stay: ${originalName}, and the other version as ${kept?.path}.`;
    case "merged":
      return `${originalName} is the merged text now${now}; both versions are in history.`;
  }
}
