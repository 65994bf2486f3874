import type { Session } from "../../app.ts";
import { given } from "../../mcp/given.ts";
import { type ApiHit, type ApiSearch, lastOffset } from "./contract/search.ts";
import { count, flag, readQuery, text } from "./input.ts";
import { rootOf } from "./root-files.ts";
import type { Api } from "./services.ts";

const mostHits = 50;
/** What search calls the files of the agent that asks. */
const agentFiles = "agent";

export function registerSearch(api: Api): void {
  api.get("/search", async (c) => {
    const { q, root, ...rest } = readQuery(c, {
      q: text,
      topic: text.optional(),
      since: text.optional(),
      until: text.optional(),
      path: text.optional(),
      root: text.optional(),
      limit: count(1, mostHits).optional(),
      offset: count(0, lastOffset).optional(),
      explain: flag.optional(),
      preview: flag.optional(),
    });
    const session = c.get("session");
    const asked = root === undefined ? {} : { root: searchedRoot(session, root) };
    const search = session.search;
    const page = await search.search({ query: q, ...asked, ...given(rest) });
    const answer: ApiSearch = {
      hits: page.hits.map(
        ({ kind, explanation, ...hit }): ApiHit => ({
          ...hit,
          root: kind === "agent" ? "agent_memory" : hit.root,
          explanation,
        }),
      ),
      total: page.total,
      warnings: page.warnings,
    };
    return c.json(answer);
  });
}

function searchedRoot(session: Session, name: string): string {
  return rootOf(session, name).kind === "agent" ? agentFiles : name;
}
