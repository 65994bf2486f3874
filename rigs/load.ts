// WEB-1: many clients at once, slow and vanishing ones among them, then four times as many. No error but 429 and 503, no
// acknowledged write lost, memory bounded, and it answers all the time. --long: a minute with 64 clients.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createReport, type LoadReport, runLoadClient } from "./load-client.ts";
import { createRandom } from "./random.ts";
import { closeRig, createViolations, readRigOptions } from "./rig-report.ts";
import { sourceOf } from "./sabotage.ts";

const { long, seconds, broken } = readRigOptions(12);
const steadyMs = (long ? 60 : seconds) * 1000;
const clients = 64;
const overload = 4;
/** What the server may take on top of where it stood after the first third. */
const mostGrowthMb = 300;
const healthMs = 10_000;

const base = mkdtempSync(join(tmpdir(), "recollect-rig-load-"));
const [project, home] = [join(base, "project"), join(base, "home")];
for (const folder of [home, join(project, ".git")]) mkdirSync(folder, { recursive: true });
const violations = createViolations();
const program = fileURLToPath(new URL("load-server.ts", import.meta.url));
const server = spawn(process.execPath, [program, sourceOf(broken), project, home], {
  stdio: ["pipe", "pipe", "inherit"],
});
const started = new Promise<string>((resolve, reject) => {
  createInterface({ input: server.stdout }).once("line", resolve);
  server.once("close", (code) => reject(new Error(`The server ended with ${code}.`)));
});
const { origin, own, secrets } = JSON.parse(await started) as { origin: string; own: string; secrets: string[] };
try {
  await writeShared();
  const memory: number[] = [];
  const watching = setInterval(() => void look(memory), 500);
  const steady = await run("steady", clients, steadyMs);
  const heavy = await run("overload", clients * overload, steadyMs / 2);
  clearInterval(watching);
  judgeMemory(memory);
  for (const report of [steady, heavy]) judgeAnswers(report);
  await stop();
  judgeWrites([steady, heavy]);
} finally {
  server.kill("SIGKILL");
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
violations.print();
closeRig("rig:load", broken, violations.total > 0);

async function run(name: string, count: number, ms: number): Promise<LoadReport> {
  const report = createReport();
  const until = Date.now() + ms;
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      runLoadClient({
        target: { origin, token: secrets[index % secrets.length] ?? "" },
        name: `${name}-${index}`,
        random: createRandom(index + 1),
        until,
        report,
      }),
    ),
  );
  const answers = [...report.statuses].map(([says, times]) => `${times} × ${says.slice(0, 60)}`).join(", ");
  console.log(`  ${name}: ${count} clients, ${ms / 1000} s: ${answers}; slowest ${report.slowestMs} ms`);
  return report;
}

async function writeShared(): Promise<void> {
  const response = await fetch(`${origin}/api/document`, {
    method: "PUT",
    headers: { authorization: `Bearer ${own}`, "content-type": "application/json" },
    body: JSON.stringify({
      root: ".serena/memories",
      path: "load/shared.md",
      content: "# Shared\n\nA shared note about load.\n",
      ifRev: null,
    }),
  });
  if (response.status !== 200) throw new Error(`The shared note could not be written: ${await response.text()}`);
}

/** Under any load it says that it is alive, and how much memory it takes. */
async function look(memory: number[]): Promise<void> {
  try {
    const alive = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(healthMs) });
    if (alive.status !== 200) violations.add("health", `/healthz answered ${alive.status}`);
    const metrics = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${own}` } });
    const bytes = /^process_resident_memory_bytes (\d+)$/m.exec(await metrics.text())?.[1];
    if (bytes !== undefined) memory.push(Number(bytes) / 1e6);
  } catch (error) {
    violations.add("health", String(error));
  }
}

function judgeMemory(memory: readonly number[]): void {
  const third = Math.ceil(memory.length / 3);
  const [before, after] = [Math.max(...memory.slice(0, third)), Math.max(...memory.slice(-third))];
  console.log(`  memory: ${before.toFixed(0)} MB in the first third, ${after.toFixed(0)} MB in the last`);
  if (after > before + mostGrowthMb)
    violations.add("memory", `grew from ${before.toFixed(0)} to ${after.toFixed(0)} MB`);
}

function judgeAnswers({ statuses }: LoadReport): void {
  for (const [says, times] of statuses) {
    if (!["200", "429", "503", "gone"].includes(says)) violations.add("answers", `${times} × ${says}`);
  }
  if ((statuses.get("200") ?? 0) === 0) violations.add("answers", "nothing was answered at all");
}

async function stop(): Promise<void> {
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()));
  server.stdin.end();
  await ended;
}

/** Each acknowledged line is there once; one of which nobody heard may be there once; there is no other. */
function judgeWrites(reports: readonly LoadReport[]): void {
  const lines = new Map<string, string[]>();
  const linesOf = (client: string) => {
    const file = join(project, ".serena/memories/load", `${client}.md`);
    const found = lines.get(client) ?? (existsSync(file) ? readFileSync(file, "utf8").split(/(?<=;)\n?/) : []);
    lines.set(client, found);
    return found;
  };
  const timesOf = (line: string) => linesOf(line.split(":")[0] ?? "").filter((one) => one.trim() === line).length;
  for (const { acknowledged, unknown } of reports) {
    for (const line of acknowledged)
      if (timesOf(line) !== 1) violations.add("writes", `${line} is there ${timesOf(line)} times`);
    for (const line of unknown)
      if (timesOf(line) > 1) violations.add("writes", `${line} is there ${timesOf(line)} times`);
  }
  console.log(`  ${reports.flatMap(({ acknowledged }) => acknowledged).length} acknowledged writes`);
}
