// The server under load: of the sources that it is told, so that a broken build can be tried as well.
import { pathToFileURL } from "node:url";
import type * as Recollect from "../src/app.ts";
import type * as Serve from "../src/http/serve.ts";
import type * as Settings from "../src/http/serve-settings.ts";

const [source = "", project = "", home = ""] = process.argv.slice(2);
const load = (file: string) => import(pathToFileURL(`${source}/${file}`).href);
const { serveHttp }: typeof Serve = await load("http/serve.ts");
const { serveSettings }: typeof Settings = await load("http/serve-settings.ts");
const { openWorkspace }: typeof Recollect = await load("app.ts");

const workspace = await openWorkspace({ project, home, env: { HOME: home, PATH: process.env["PATH"] }, stays: true });
const settings = serveSettings(workspace.settings.values);
const server = await serveHttp({
  ...settings,
  limits: { ...settings.limits, requestsPerMinute: 60_000 },
  port: 0,
  workspace,
  version: "load",
  makesToken: true,
});
const secrets: string[] = [];
for (let index = 0; index < 8; index += 1) {
  const agentId = `agent-${index}`;
  secrets.push((await workspace.tokens.create({ name: agentId, agentId, scopes: ["*:all"] })).secret);
}
console.log(JSON.stringify({ origin: server.origin, own: server.secret, secrets }));
process.stdin
  .once("end", async () => {
    await server.close();
    await workspace.close();
  })
  .resume();
