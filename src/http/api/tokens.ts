import * as z from "zod";
import { idleScopes, type ListedToken, RecollectError } from "../../app.ts";
import { adminOnly } from "./admin-only.ts";
import type { ApiCreatedToken, ApiNewToken, ApiToken, ApiTokens } from "./contract/tokens.ts";
import { needed, readBody, readQuery } from "./input.ts";
import type { Api, ApiServices } from "./services.ts";

export function registerTokens(api: Api, { workspace, tokens, log }: ApiServices): void {
  const all = async (): Promise<ApiTokens> => ({
    tokens: (await tokens.list()).map(toToken),
    unreadable: await tokens.unreadable(),
  });

  adminOnly(api, "/tokens");

  api.get("/tokens", async (c) => {
    readQuery(c, {});
    return c.json(await all());
  });

  api.post("/tokens", async (c) => {
    const { credential } = c.get("principal");
    const request: ApiNewToken = await readBody(c, {
      name: needed,
      agentId: needed.optional(),
      scopes: z.array(needed).max(100),
      isAdmin: z.boolean().optional(),
      expiresInDays: z.number().optional(),
    });
    const { token, secret } = await tokens.create(request);
    log("info", "tokens", { created: token.id, author: token.author, by: credential });
    const warnings = idleScopes(
      token,
      workspace.roots.map(({ name }) => name),
    );
    const answer: ApiCreatedToken = { ...toToken({ ...token, lastUsed: undefined }), secret, warnings };
    return c.json(answer, 201);
  });

  api.delete("/tokens", async (c) => {
    const { credential } = c.get("principal");
    const { id } = readQuery(c, { id: needed });
    if (!(await tokens.revoke(id))) throw new RecollectError("NOT_FOUND", "There is no token of that id.");
    log("info", "tokens", { revoked: id, by: credential });
    return c.json(await all());
  });
}

function toToken({ id, name, author, agentId, scopes, isAdmin, created, expires, lastUsed }: ListedToken): ApiToken {
  return { id, name, author, agentId, scopes, isAdmin, created, expires, lastUsed };
}
