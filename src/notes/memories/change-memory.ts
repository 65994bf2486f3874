import { type Conflict, type Expectation, meets } from "../../kernel/conflict.ts";
import { asNewName } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Address, Change, Stamp, StoredDocument } from "../../kernel/store.ts";
import type { MemoryLocator } from "./locate-memory.ts";
import { lostError } from "./memory-errors.ts";

/** A note after it was written or appended to. */
export interface WrittenMemory {
  readonly name: string;
  readonly folder: string;
  readonly rev: Rev;
  /** False where it replaced or extended what was there. */
  readonly created: boolean;
}

/** What a memory becomes, from what is in it; undefined where it does not exist. */
export type NextText = (before: StoredDocument | undefined) => {
  readonly kind: "put" | "append";
  readonly content: string;
};

/** One operation on the memory at a place, whichever spelling led there. */
export type ChangeMemoryAt = (place: Address, expected: Expectation, to: NextText) => Promise<WrittenMemory>;

export function createChangeMemoryAt(
  documents: Documents,
  { identify }: Pick<MemoryLocator, "identify">,
  stamp: Stamp,
): ChangeMemoryAt {
  return async (place, expected, to) => {
    const known = identify(place);
    if (!known) throw foreignPlace(place);
    const { at, name, folder } = known;
    const target = asNewName(at);
    const result = await documents.commit(
      [target],
      (current): Change[] | Conflict => {
        const before = current(target);
        if (!meets(expected, before?.rev)) return { kind: "conflict", at: target, current: before?.rev };
        return [{ at: target, ...to(before) }];
      },
      stamp,
    );
    if (result.kind === "conflict") throw lostError(name, result, expected);
    const [outcome] = result.outcomes;
    if (!outcome?.rev) throw new Error("a written memory has a revision");
    return { name, folder: folder.root, rev: outcome.rev, created: outcome.was === undefined };
  };
}

function foreignPlace({ path }: Address): RecollectError {
  return new RecollectError("NOT_ALLOWED", "This place belongs to something else than memories. Choose another name.", {
    data: { path },
  });
}
