import type { RootCare, ValueSighting } from "../../kernel/backend.ts";
import type { RootVerification } from "../../kernel/finding.ts";
import type { PurgeForms } from "../../kernel/purge-forms.ts";
import type { Database } from "./database.ts";
import { fillSpace, openSpaceFilling } from "./fill.ts";
import { findValue } from "./find-value.ts";
import { openSpaceOperations } from "./operations.ts";
import { purgeSpace } from "./purge.ts";
import { verifySpace } from "./verify.ts";

/** A space of a root, and what its paths begin with there. */
export interface SpacePart {
  readonly space: string;
  readonly prefix: string;
}

/** Looks after a root: one space, or one for each of its folders. */
export function createSpaceCare(options: {
  readonly database: Database;
  readonly root: string;
  readonly parts: readonly SpacePart[];
  /** Told of the spaces that were changed. */
  readonly written: (spaces: readonly string[]) => void;
}): RootCare {
  const { database, root, parts, written } = options;

  async function find(forms: PurgeForms): Promise<ValueSighting[]> {
    const found: ValueSighting[] = [];
    for (const { space, prefix } of parts) {
      const inSpace = await findValue(database, space, forms);
      found.push(...inSpace.map((one) => ({ ...one, path: prefix + one.path })));
    }
    return found;
  }

  function onlySpace(): string {
    const [only, ...others] = parts;
    if (only && others.length === 0) return only.space;
    throw new RangeError("A divided root is copied folder by folder.");
  }

  return {
    verify: async ({ onProgress }) => {
      const verified: RootVerification[] = [];
      for (const { space } of parts) verified.push(await verifySpace({ database, space, root, onProgress }));
      const sumOf = (figure: "documents" | "operations" | "revisions" | "pending") =>
        verified.reduce((sum, one) => sum + one[figure], 0);
      return {
        root,
        documents: sumOf("documents"),
        operations: sumOf("operations"),
        revisions: sumOf("revisions"),
        pending: sumOf("pending"),
        findings: verified.flatMap(({ findings }) => findings),
      };
    },
    find: async (forms) => ({ documents: await find(forms), elsewhere: [] }),
    holding: async (forms) => (await find(forms)).map(({ path }) => path),
    purge: async ({ forms, stamp }) => {
      const revisions = new Map<string, number>();
      let journals = 0;
      for (const { space, prefix } of parts) {
        const purged = await purgeSpace({ database, space, forms, stamp });
        if (!purged.isRewritten) continue;
        for (const [path, count] of purged.revisions) revisions.set(prefix + path, count);
        journals += 1;
        written([space]);
      }
      return { revisions, journals, left: [] };
    },
    operations: () => openSpaceOperations(database, onlySpace()),
    fill: (request) => {
      const space = onlySpace();
      return fillSpace(openSpaceFilling(database, space, written), { database, space }, request);
    },
  };
}
