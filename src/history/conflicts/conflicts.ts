import type { Documents } from "../../core/documents.ts";
import { isRecollectError, RecollectError } from "../../core/errors.ts";
import type { Rev } from "../../core/revision.ts";
import type { Address, Stamp, StoredDocument } from "../../core/store.ts";
import { diffLines } from "../merge/diff-lines.ts";
import { unifiedText } from "../merge/unified-text.ts";
import { previewOf } from "../preview.ts";
import { bothTexts } from "./both-texts.ts";
import { findConflicts, type WaitingConflict } from "./find-conflicts.ts";
import { type KeepChoice, type Settled, type SettleRequest, settleConflict } from "./settle-conflict.ts";
import {
  isWithoutDocument,
  settleUnsettled,
  toUnsettled,
  type UnsettledConflict,
  type UnsettledSource,
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

/** What merges left for a person to decide (HIST-4): documents that lie beside others. */
export interface Conflicts {
  list(): Promise<readonly NamedConflict[]>;
  /** By its own name, or by that of the document it belongs to, where only one does. Throws NOT_FOUND. */
  show(name: string): Promise<ConflictView>;
  settle(conflict: WaitingConflict, request: SettleRequest): Promise<Settled>;
  /** What `settle` would do; a policy or the guard may still refuse it. */
  preview(conflict: WaitingConflict, request: SettleRequest): Promise<Settled>;
  /** What else syncs left for a person to look at. */
  unsettled(): Promise<readonly UnsettledConflict[]>;
  settleUnsettled(
    unsettled: UnsettledConflict,
    keep: KeepChoice,
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

  async function list(): Promise<NamedConflict[]> {
    const found = await findConflicts(documents, roots);
    return found.map((one) => ({ ...one, name: nameOf(one.at), originalName: nameOf(one.original) }));
  }

  async function find(given: string): Promise<NamedConflict> {
    const all = await list();
    const bare = given.replace(/\.md$/, "");
    const isCalled = (name: string, { root, path }: Address) =>
      [given, bare].includes(name) || [path, `${root}/${path}`].some((one) => one === given || one === `${given}.md`);
    const exact = all.filter(({ name, at }) => isCalled(name, at));
    const found = exact.length > 0 ? exact : all.filter((one) => isCalled(one.originalName, one.original));
    const [first, ...others] = found;
    if (first && others.length === 0) return first;
    if (first) {
      const names = found.map((one) => `${one.at.root}/${one.at.path}`).join(", ");
      throw new RecollectError("INVALID_ARGUMENT", `Several are meant by “${given}”: ${names}. Name one of them.`);
    }
    throw new RecollectError("NOT_FOUND", `No conflict waits under the name “${given}”. See: recollect resolve`, {
      data: { name: given },
    });
  }

  async function sideAt(at: Address): Promise<ConflictSide | undefined> {
    try {
      const document: StoredDocument | undefined = await documents.read(at);
      return document && { rev: document.rev, text: document.content };
    } catch (error) {
      if (!isRecollectError(error)) throw error;
      // A folder has its name by now: there is no such document.
      if (error.code === "NOT_A_DOCUMENT") return undefined;
      if (!["NOT_UTF8", "TOO_LARGE"].includes(error.code)) throw error;
      return { rev: undefined, text: undefined };
    }
  }

  return {
    list,
    show: async (given) => {
      const found = await find(given);
      const [ours, theirs] = [await sideAt(found.original), await sideAt(found.at)];
      if (!theirs) throw new RecollectError("NOT_FOUND", `“${found.name}” is gone: somebody settled it.`);
      const [mine, other] = [ours ? ours.text : "", theirs.text];
      if (mine === undefined || other === undefined)
        return { ...found, ours, theirs, diff: undefined, both: undefined };
      const names = [ours ? found.original.path : "/dev/null", found.at.path] as const;
      const diff = unifiedText(diffLines(mine, other), { names });
      return { ...found, ours, theirs, diff, both: bothTexts(mine, other) };
    },
    settle: async (conflict, request) => {
      const result = await settleConflict(documents, conflict, request, stamp);
      await settled(conflict.at.root);
      return result;
    },
    preview: (conflict, request) => settleConflict(previewOf(documents), conflict, request, stamp),
    unsettled: async () => {
      const all = (await synced?.list()) ?? [];
      return all.filter(isWithoutDocument).map((one) => toUnsettled(one, synced?.root ?? "", nameOf));
    },
    settleUnsettled: async (unsettled, keep, { dryRun = false } = {}) => {
      await settleUnsettled(dryRun ? previewOf(documents) : documents, unsettled, keep, stamp);
      if (dryRun) return;
      await synced?.dismiss(unsettled.conflict);
      await settled(unsettled.at.root);
    },
  };
}
