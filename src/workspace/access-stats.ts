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
    record: (paths) => database.add("access", root, paths, new Date(now()).toISOString()),
    list: () => database.list("access", root),
    close: database.close,
  };
}
