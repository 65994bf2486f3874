import { type DocumentPath, parseDocumentPath } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { type Operation, type RootPolicy, readOnly } from "../../kernel/root-policy.ts";

/** The roots that the bank works on, under the names that they are mounted with. */
export const bankRoots = { project: "project", bank: "bank", templates: "templates" } as const;

export type BankArea = keyof typeof bankRoots;

/** No delete, and no move, which is a delete in disguise (BANK-1). */
export const bankPolicies: Readonly<Record<BankArea, RootPolicy>> = {
  project: new Set<Operation>(["list", "read", "write"]),
  bank: new Set<Operation>(["list", "read", "write", "append"]),
  templates: readOnly,
};

/** The name of a project's area in the bank: one segment, and not the one that all projects share. */
export function parseProjectName(name: string): DocumentPath {
  const parsed = parseDocumentPath(name, 1);
  // In any case: some file systems take them for one.
  if (parsed.toLowerCase() !== bankRoots.templates) return parsed;
  throw new RecollectError(
    "INVALID_ARGUMENT",
    "A project cannot be called “templates”: that area is shared by all projects. Set another project name.",
    { data: { name } },
  );
}
