// The official conformance suite of MCP against our server over HTTP: all scored scenarios of both revisions. The suite
// comes from npm, into a temporary folder that goes when this ends; with --suite FOLDER from where it is installed.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openWorkspace } from "../src/app.ts";
import { serveHttp } from "../src/http/serve.ts";
import { fixtures } from "./conformance/fixtures.ts";
import { startTokenProxy } from "./conformance/token-proxy.ts";

const revisions = ["2025-11-25", "2026-07-28"] as const;
/** A version that knows what each revision requires; a newer one may require more. */
const suitePackage = "@modelcontextprotocol/conformance@0.2.0-alpha.11";

const { values } = parseArgs({ options: { suite: { type: "string" }, verbose: { type: "boolean" } } });
const scratch = mkdtempSync(join(tmpdir(), "recollect-conformance-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
const suite = values.suite ?? install(join(scratch, "suite"));

const home = join(scratch, "home");
const project = join(scratch, "project");
for (const folder of [home, join(project, ".git")]) mkdirSync(folder, { recursive: true });
const workspace = await openWorkspace({ project, home, env: {}, stays: true });
await workspace.memories.write("build", "# How to build\n\nRun the tests first.\n");
const proxy = await startTokenProxy();
const server = await serveHttp({
  workspace,
  version: "conformance",
  host: "127.0.0.1",
  port: 0,
  addresses: [`http://localhost:${proxy.port}`, `http://127.0.0.1:${proxy.port}`],
  limits: { bodyBytes: 8_388_608, requestsPerMinute: 100_000, requestMs: 60_000, atOnce: 16, mostWaiting: 256 },
  oauth: undefined,
  makesToken: true,
  fixtures,
});
proxy.leadTo({ port: Number(new URL(server.origin).port), token: server.secret ?? "" });

const failed: string[] = [];
for (const revision of revisions) {
  console.log(`\nRevision ${revision}:`);
  if ((await run(revision)) !== 0) failed.push(revision);
}
await server.close();
proxy.close();
await workspace.close();
console.log(failed.length === 0 ? "\nAll scored scenarios of both revisions pass." : `\nFailed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Asynchronously: the server that it asks runs in this process. */
function run(revision: string): Promise<number> {
  const args = ["server", "--url", `http://localhost:${proxy.port}/mcp`, "--requirements", revision];
  const program = join(suite, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
  const child = spawn(process.execPath, [program, ...args, ...(values.verbose ? ["--verbose"] : [])], {
    cwd: scratch,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
}

function install(folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), "{}\n");
  console.log("Installing the conformance suite from npm into a temporary folder …");
  const flags = ["--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", ["install", ...flags, suitePackage], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return folder;
}
