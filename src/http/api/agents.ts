import { adminOnly } from "./admin-only.ts";
import type { ApiAgents } from "./contract/agents.ts";
import { readQuery } from "./input.ts";
import type { Api, ApiServices } from "./services.ts";

export function registerAgents(api: Api, { workspace, overviews, tokens }: ApiServices): void {
  adminOnly(api, "/agents");

  api.get("/agents", async (c) => {
    readQuery(c, {});
    const { authors, partial } = await overviews.of(c.get("session"));
    const known = new Map(authors.map((one) => [one.author, one]));
    const owners = Map.groupBy(await tokens.list(), ({ author }) => author);
    const folders = (await workspace.agents.list()).map((agentId) => `agent:${agentId}`);
    const all = new Set([...known.keys(), ...owners.keys(), ...folders]);
    const answer: ApiAgents = {
      agents: [...all].map((author) => ({
        author,
        changes: known.get(author)?.changes ?? 0,
        last: known.get(author)?.last,
        tokens: owners.get(author)?.length ?? 0,
      })),
      isPartial: partial.includes("growth"),
    };
    return c.json(answer);
  });
}
