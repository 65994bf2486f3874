import type { ApiOverview } from "./contract/overview.ts";
import { readQuery } from "./input.ts";
import type { Api, ApiServices } from "./services.ts";

export function registerOverview(api: Api, { overviews }: ApiServices): void {
  api.get("/overview", async (c) => {
    readQuery(c, {});
    const { isAdmin } = c.get("principal");
    const [overview, health] = await Promise.all([
      overviews.of(c.get("session")),
      isAdmin ? overviews.health() : undefined,
    ]);
    const answer: ApiOverview = {
      ...overview,
      authors: overview.authors.map(({ author, changes }) => ({ author, changes })),
      health: health?.map(({ level, about, says, remedy, count = 1 }) => ({ level, about, says, remedy, count })),
      partial: [...overview.partial, ...(isAdmin && !health ? (["health"] as const) : [])],
    };
    return c.json(answer);
  });
}
