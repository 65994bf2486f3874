import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contestant } from "./contestant.ts";
import { findMachineNode } from "./machine-node.ts";

interface InstalledPackage {
  readonly version: string;
  /** The folder of the package itself. */
  readonly folder: string;
  /** With everything that came with it. */
  readonly megabytes: number;
}

const mostMs = 300_000;

/** From npm into a folder of its own, its install scripts included, since users run them too. */
export function installPackage(
  { spec, packageName, isCompiled }: Pick<Contestant, "spec" | "packageName" | "isCompiled">,
  folder: string,
): InstalledPackage | { readonly why: string } {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}\n");
  const flags = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const { status, stderr, error } = spawnSync("npm", ["install", ...flags, spec], {
    cwd: folder,
    timeout: mostMs,
    killSignal: "SIGKILL",
    encoding: "utf8",
    env: { ...process.env, ...(isCompiled ? { PATH: findMachineNode().path } : {}) },
  });
  if (status !== 0)
    return { why: `it cannot be installed here: ${reasonIn(stderr) ?? error?.message ?? "npm failed"}` };
  const own = join(folder, "node_modules", packageName);
  const { version } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  return { version, folder: own, megabytes: bytesIn(join(folder, "node_modules")) / 1e6 };
}

/** The command that failed says more than the code of npm. */
function reasonIn(text: string): string | undefined {
  const lines = text.split("\n").filter((line) => line.startsWith("npm error"));
  const telling = lines.find((line) => / command sh -c | 404 /.test(line)) ?? lines[0];
  return telling?.replace(/^npm error (command sh -c )?/, "");
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesIn(path) : lstatSync(path).size);
  }, 0);
}
