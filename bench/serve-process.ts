import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { repository } from "./library.ts";

export interface ServeProcess {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly token?: string | undefined;
}

/** `recollect serve` as users start it, on the folder `project` in `folder`. */
export async function startServe(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServeProcess> {
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  for (const path of [home, join(project, ".git")]) mkdirSync(path, { recursive: true });
  const args = ["serve", "--port", "0", "--project", project, "--requests-per-minute", "10000000", "--json"];
  const child = spawn(process.execPath, [join(repository, "bin/recollect.cjs"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, HOME: home, XDG_CACHE_HOME: join(folder, "cache"), ...environment },
  });
  const { origin, token } = JSON.parse(await firstLine(child));
  return { child, origin, token };
}

export function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!stdout) return reject(new Error("There is nothing to read."));
    createInterface({ input: stdout })
      .once("line", resolve)
      .once("close", () => reject(new Error("It did not start.")));
  });
}
