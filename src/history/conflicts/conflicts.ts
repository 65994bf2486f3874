import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Address, Stamp, StoredDocument } from "../../kernel/store.ts";
import { diffLines } from "../../text/diff-lines.ts";
import { unifiedText } from "../../text/unified-text.ts";
import { previewOf } from "../preview.ts";
import { bothTexts } from "./both-texts.ts";
import { type ConflictChoice, choicesFor } from "./conflict-choices.ts";
import { conflictAt, findConflicts, type WaitingConflict } from "./find-conflicts.ts";
import { type MeantConflict, meantBy } from "./meant-conflict.ts";
import { type Settled, type SettleRequest, settleConflict } from "./settle-conflict.ts";
import {
  isWithoutDocument,
  otherOf,
  settleUnsettled,
  toUnsettled,
  type UnsettledConflict,
  type UnsettledSource,
  type UnsettledView,
  withSides,
} from "./unsettled-conflicts.ts";

/** A conflict with the names that people use. */
export interface NamedConflict extends WaitingConflict {
  readonly name: string;
  readonly originalName: string;
}

/** Both versions. */
export interface ConflictView extends NamedConflict {
  /** What has the name; undefined where nothing has. */
  readonly ours: ConflictSide | undefined;
  readonly theirs: ConflictSide;
  readonly choices: readonly ConflictChoice[];
  /** From ours to theirs, as `diff -u` shows it; undefined where one is no text. */
  readonly diff: string | undefined;
  /** Both in one text, with markers around what differs, to begin a merged one with. */
  readonly both: string | undefined;
}

export interface ConflictSide {
  readonly rev: Rev | undefined;
  /** Undefined where it is no UTF-8 text. */
  readonly text: string | undefined;
}

type Side = ConflictSide | "folder" | undefined;

/** What merges left for a person to decide (HIST-4): documents that lie beside others. */
export interface Conflicts {
  list(): Promise<readonly NamedConflict[]>;
  /**
   * By its own name, or by that of the document it belongs to, where only one does; by root and path always. Throws
   * NOT_FOUND.
   */
  find(name: string): Promise<MeantConflict>;
  /** The one in this place. Throws NOT_FOUND. */
  show(at: { readonly root: string; readonly path: string }): Promise<ConflictView>;
  settle(conflict: WaitingConflict, request: SettleRequest): Promise<Settled>;
  /** What `settle` would do; a policy or the guard may still refuse it. */
  preview(conflict: WaitingConflict, request: SettleRequest): Promise<Settled>;
  /** What else syncs left for a person to look at. */
  unsettled(): Promise<readonly UnsettledConflict[]>;
  /** As it is now, with what can still be chosen. */
  look(unsettled: UnsettledConflict): Promise<UnsettledView>;
  settleUnsettled(
    unsettled: UnsettledConflict,
    request: Omit<SettleRequest, "text">,
    options?: { readonly dryRun?: boolean },
  ): Promise<void>;
}

export interface ConflictsOptions {
  readonly documents: Documents;
  readonly roots: readonly string[];
  readonly nameOf: (at: Address) => string;
  readonly stamp: Stamp;
  /** What is made of the documents of a root follows. */
  readonly settled: (root: string) => Promise<unknown>;
  /** Undefined where nothing is synced. */
  readonly synced?: UnsettledSource | undefined;
}

export function createConflicts(options: ConflictsOptions): Conflicts {
  const { documents, roots, nameOf, stamp, settled, synced } = options;
  const named = (one: WaitingConflict): NamedConflict => {
    return { ...one, name: nameOf(one.at), originalName: nameOf(one.original) };
  };
  const list = async () => (await findConflicts(documents, roots)).map(named);

  async function unsettled(): Promise<UnsettledConflict[]> {
    const all = (await synced?.list()) ?? [];
    return all.filter(isWithoutDocument).map((one) => toUnsettled(one, synced?.root ?? "", nameOf));
  }

  async function sideAt(at: Address): Promise<Side> {
    try {
      const document: StoredDocument | undefined = await documents.read(at);
      return document && { rev: document.rev, text: document.content };
    } catch (error) {
      if (!isRecollectError(error)) throw error;
      if (error.code === "NOT_A_DOCUMENT") return "folder";
      if (!["NOT_UTF8", "TOO_LARGE"].includes(error.code)) throw error;
      return { rev: undefined, text: undefined };
    }
  }

  /** One that cannot be read keeps nobody from seeing the others. */
  async function lookAt(at: Address): Promise<ConflictSide | undefined> {
    try {
      return documentOf(await sideAt(at));
    } catch (error) {
      if (!isRecollectError(error) || error.code !== "PERMISSION_DENIED") throw error;
      return { rev: undefined, text: undefined };
    }
  }

  return {
    list,
    find: async (given) => meantBy(given, await list(), await unsettled()),
    show: async (place) => {
      const waiting = conflictAt(documents, roots, place);
      const theirs = waiting && (await sideAt(waiting.at));
      if (!waiting || !theirs || theirs === "folder") throw noConflict(place);
      return { ...named(waiting), ...compared(waiting, await sideAt(waiting.original), theirs) };
    },
    settle: async (conflict, request) => {
      const result = await settleConflict(documents, conflict, request, stamp);
      await settled(conflict.at.root);
      return result;
    },
    preview: (conflict, request) => settleConflict(previewOf(documents), conflict, request, stamp),
    unsettled,
    look: async (one) => {
      const other = otherOf(one);
      return withSides(one, await lookAt(one.at), other && (await lookAt(other)));
    },
    settleUnsettled: async (one, request, { dryRun = false } = {}) => {
      await settleUnsettled(dryRun ? previewOf(documents) : documents, one, request, stamp);
      if (dryRun) return;
      await synced?.dismiss(one.conflict);
      await settled(one.at.root);
    },
  };
}

function compared(
  conflict: WaitingConflict,
  named: Side,
  theirs: ConflictSide,
): Pick<ConflictView, "ours" | "theirs" | "choices" | "diff" | "both"> {
  const ours = documentOf(named);
  const choices = choicesFor(conflict, named === "folder" ? "folder" : ours ? kindOf(ours) : "nothing", kindOf(theirs));
  const [mine, other] = [ours ? ours.text : "", theirs.text];
  if (mine === undefined || other === undefined) return { ours, theirs, choices, diff: undefined, both: undefined };
  const names = [ours ? conflict.original.path : "/dev/null", conflict.at.path] as const;
  const diff = unifiedText(diffLines(mine, other), { names });
  return { ours, theirs, choices, diff, both: bothTexts(mine, other) };
}

/** A folder that has its name by now is no document. */
function documentOf(side: Side): ConflictSide | undefined {
  return side === "folder" ? undefined : side;
}

function kindOf({ text }: ConflictSide): "text" | "no text" {
  return text === undefined ? "no text" : "text";
}

function noConflict({ root, path }: { readonly root: string; readonly path: string }): RecollectError {
  const says = `No conflict waits at “${path}” in “${root}”: there was none, or somebody settled it.`;
  return new RecollectError("NOT_FOUND", says, { data: { root, path } });
}
