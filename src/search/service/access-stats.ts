import { type Access, openAccessDatabase } from "./access-database.ts";

export type { Access } from "./access-database.ts";
export { cleanAccessStats } from "./access-database.ts";

/** How often what was read, outside of the Markdown, so that reading never changes a file of the project (TOP-6). */
export interface AccessStats {
  record(paths: readonly string[]): void;
  list(): Access[];
  close(): void;
}

export function openAccessStats(options: { folder: string; root: string; now?: () => number }): AccessStats {
  const { folder, root, now = Date.now } = options;
  const database = openAccessDatabase(folder);
  return {
    record: (paths) => {
      const last = new Date(now()).toISOString();
      database.add(
        "access",
        root,
        paths.map((path) => ({ path, count: 1, last })),
      );
    },
    list: () => database.list("access", root),
    close: database.close,
  };
}
