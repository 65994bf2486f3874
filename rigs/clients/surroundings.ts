import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientRow } from "./client-rows.ts";

const mark = "RECOLLECT_RIG_ISOLATED";

export function isIsolated(): boolean {
  return process.env[mark] !== undefined;
}

export function installClients(rows: readonly ClientRow[], prefix: string): void {
  const missing = rows.filter(({ binary }) => !existsSync(join(prefix, "node_modules/.bin", binary)));
  install(prefix, ...missing.map((row) => `${row.package}@latest`));
  const openCode = join(prefix, "node_modules/opencode-ai/package.json");
  const beside = join(prefix, "opencode-config");
  if (!existsSync(openCode) || existsSync(join(beside, "node_modules"))) return;
  const { version } = JSON.parse(readFileSync(openCode, "utf8")) as { version: string };
  install(beside, `@opencode-ai/plugin@${version}`);
}

function install(prefix: string, ...packages: readonly string[]): void {
  if (packages.length === 0) return;
  mkdirSync(prefix, { recursive: true });
  console.log(`rig:clients: installing ${packages.join(", ")}`);
  execFileSync("npm", ["install", "--prefix", prefix, "--no-fund", "--no-audit", ...packages], { stdio: "inherit" });
}

/**
 * Begins this program again where no client can reach anything but the fake model, and where all that the clients leave
 * running, such as a daemon, ends with it.
 */
export function enterEmptyNetwork(program: string): never {
  const again = [process.execPath, program, ...process.argv.slice(2)];
  const { status, error } = spawnSync(
    "unshare",
    [
      "--map-root-user",
      "--net",
      "--pid",
      "--fork",
      "--kill-child",
      "--mount-proc",
      "sh",
      "-c",
      'ip link set lo up && exec "$@"',
      "sh",
      ...again,
    ],
    { stdio: "inherit", env: { ...process.env, [mark]: "1" } },
  );
  if (error) {
    console.log("rig:clients: skipped, since there is no unshare here to keep the clients off the network.");
    process.exit(0);
  }
  process.exit(status ?? 1);
}
