export const operations = ["list", "read", "write", "append", "delete", "move"] as const;

export type Operation = (typeof operations)[number];

/** What may be done in a root. One place asks it, below every facade and surface (KER-8). */
export type RootPolicy = ReadonlySet<Operation>;

export const fullAccess: RootPolicy = new Set(operations);
export const readOnly: RootPolicy = new Set<Operation>(["list", "read"]);
