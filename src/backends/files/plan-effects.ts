import { relative } from "node:path";
import { type Rev, revisionOf } from "../../kernel/revision.ts";
import type { Address, Change, Outcome, Stamp } from "../../kernel/store.ts";
import type { FolderPart, PlannedEffect } from "./apply.ts";
import { type DocumentFile, toStoredDocument } from "./document-file.ts";
import type { Effect } from "./durable-file.ts";
import { firstFreshNumber } from "./fresh-file.ts";

/** A document of the commit: its locked folder, and what is in it now. */
export interface Subject {
  readonly at: Address;
  readonly name: string;
  readonly part: FolderPart;
  readonly before: DocumentFile | undefined;
}

export interface EffectPlan {
  readonly planned: readonly PlannedEffect[];
  readonly outcomes: readonly Outcome[];
}

/** Turns applicable changes into effects on files, each with the line that it leaves in its folder's journal. */
export function planEffects(
  changes: readonly Change[],
  subjectAt: (at: Address) => Subject,
  stamp: Stamp & { readonly time: string; readonly batch?: string },
): EffectPlan {
  const planned: PlannedEffect[] = [];
  const outcomes: Outcome[] = [];
  const firstNumber = firstFreshNumber();

  function add(
    kind: Change["kind"],
    { at, name, part, before }: Subject,
    content: Effect["content"],
    move?: { readonly other: Subject; readonly movedFrom?: DocumentFile | undefined },
  ): void {
    const other = move && relative(part.realPath, `${move.other.part.realPath}/${move.other.name}`);
    planned.push({
      part,
      fresh: firstNumber + planned.length,
      effect: { folder: part.folder, auxiliary: part.auxiliary, name, content, before, movedFrom: move?.movedFrom },
      record: { kind, name, rev: content?.rev, was: before?.rev, other, ...stamp },
    });
    outcomes.push({ at, rev: content?.rev, was: before?.rev });
  }

  for (const change of changes) {
    switch (change.kind) {
      case "put":
        add("put", subjectAt(change.at), contentOf(change.content));
        break;
      case "append": {
        const subject = subjectAt(change.at);
        const text = subject.before ? toStoredDocument(subject.before, subject.name).content : "";
        add("append", subject, contentOf(text + change.content));
        break;
      }
      case "remove":
        add("remove", subjectAt(change.at), undefined);
        break;
      case "move": {
        const source = subjectAt(change.from);
        const target = subjectAt(change.to);
        // The new name first: at no moment is the document nowhere.
        add("move", target, source.before, { other: source, movedFrom: source.before });
        add("move", source, undefined, { other: target });
      }
    }
  }
  return { planned, outcomes };
}

function contentOf(text: string): { bytes: Buffer; rev: Rev } {
  const bytes = Buffer.from(text);
  return { bytes, rev: revisionOf(bytes) };
}
