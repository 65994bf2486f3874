import { hidden } from "./api-failure.ts";
import type { Api } from "./services.ts";

/** By whatever method: to those who are no admin there is no such path. */
export function adminOnly(api: Api, path: string): void {
  api.use(path, async (c, next) => (c.get("principal").isAdmin ? next() : hidden()));
}
