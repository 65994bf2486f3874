import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../test/helpers/postgres.ts";
import { goodSource } from "./sabotage.ts";

/** One `recollect serve` of several on one database, on a machine of its own: it shares no file with the others. */
export interface ServeProcess {
  readonly name: string;
  readonly origin: string;
  /** Of whoever started it; another one after each start. */
  token(): string;
  isUp(): boolean;
  start(): Promise<void>;
  /** As a power cut would end it. */
  kill(): Promise<void>;
  /** Takes away all that it keeps on its own disk. */
  forget(): void;
}

export interface ServeProcessOptions {
  readonly name: string;
  readonly base: string;
  /** The good sources are run as they were built, broken ones as they are. */
  readonly source: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function createServeProcess({ name, base, source, env }: ServeProcessOptions): Promise<ServeProcess> {
  const [home, project] = [join(base, name, "home"), join(base, name, "project")];
  for (const folder of [home, join(project, ".git")]) mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const program = fileURLToPath(
    new URL(source === goodSource ? "../bin/recollect.cjs" : "run-cli.ts", import.meta.url),
  );
  const args = ["serve", "--port", String(port), "--project", project, "--requests-per-minute", "10000000", "--json"];
  let child: ChildProcess | undefined;
  let secret = "";
  process.once("exit", () => child?.kill("SIGKILL"));

  async function launch(): Promise<void> {
    const { npm_lifecycle_event: _, ...own } = process.env;
    const started = spawn(process.execPath, [program, ...args], {
      stdio: ["ignore", "pipe", process.env["RIG_TALKS"] ? "inherit" : "ignore"],
      env: { ...own, HOME: home, XDG_CACHE_HOME: join(base, name, "cache"), RIG_SOURCE: source, ...env },
    });
    child = started;
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: started.stdout }).once("line", resolve);
      started.once("close", (code) => reject(new Error(`${name} ended with ${code} before it had begun.`)));
    });
    secret = (JSON.parse(line) as { token: string }).token;
  }

  const isUp = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    token: () => secret,
    isUp,
    start: async () => {
      // Without its database it does not begin; whoever looks after it starts it again.
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await launch();
        } catch (error) {
          if (attempt === 20) throw error;
          await delay(500);
        }
      }
    },
    kill: async () => {
      const running = child;
      if (!running || !isUp()) return;
      await new Promise((resolve) => {
        running.once("close", resolve);
        running.kill("SIGKILL");
      });
    },
    forget: () => rmSync(join(base, name, "cache"), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  };
}
