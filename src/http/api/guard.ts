import type { Context } from "hono";
import { createGuard, refusalOf } from "../../app.ts";
import type { HttpEnv } from "../principal.ts";
import { adminOnly } from "./admin-only.ts";
import type { ApiAllow, ApiGuard } from "./contract/guard.ts";
import { toGuardFindings } from "./guard-finding.ts";
import { needed, readBody, readQuery } from "./input.ts";
import type { Api, ApiServices } from "./services.ts";

export function registerGuard(api: Api, { workspace, guardReport, allowList, log }: ApiServices): void {
  async function answer(c: Context<HttpEnv>): Promise<Response> {
    const { documents, isPartial } = await guardReport.flagged(c.get("session"));
    const report: ApiGuard = {
      policy: workspace.settings.values["guard.policy"],
      flagged: documents.map(({ root, path, findings }) => ({ root, path, findings: toGuardFindings(findings) })),
      allowed: await allowList.list(),
      isPartial,
    };
    return c.json(report);
  }

  for (const path of ["/guard", "/guard/allowed"]) adminOnly(api, path);

  api.get("/guard", async (c) => {
    readQuery(c, {});
    return answer(c);
  });

  api.post("/guard/allowed", async (c) => {
    const { credential } = c.get("principal");
    const { fingerprint, reason }: ApiAllow = await readBody(c, { fingerprint: needed, reason: needed });
    // It is kept and shown, like any text of the user.
    const found = createGuard({ policy: "standard", allowed: new Set() }).scan(reason);
    if (found.length > 0) throw refusalOf(found);
    await allowList.allow(fingerprint, reason);
    log("info", "guard", { allowed: fingerprint, by: credential });
    return answer(c);
  });

  api.delete("/guard/allowed", async (c) => {
    const { credential } = c.get("principal");
    const { fingerprint } = readQuery(c, { fingerprint: needed });
    await allowList.revoke(fingerprint);
    log("info", "guard", { revoked: fingerprint, by: credential });
    return answer(c);
  });
}
