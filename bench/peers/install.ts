import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Peer {
  readonly name: "server-memory" | "server-filesystem";
  readonly version: string;
  /** The script that Node starts. */
  readonly script: string;
}

const names = ["server-memory", "server-filesystem"] as const;

/**
 * The official servers, from npm, into a temporary folder outside the repository that goes when the
 * bench ends. Without a network there is nothing to compare with, which is said and is no failure.
 */
export function createPeerInstaller(): () => readonly Peer[] {
  let installed: readonly Peer[] | undefined;
  return () => {
    if (installed) return installed;
    const folder = mkdtempSync(join(tmpdir(), "recollect-bench-peers-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    console.error("Installing the peers from npm into a temporary folder …");
    installed = install(folder);
    return installed;
  };
}

function install(folder: string): Peer[] {
  const packages = names.map((name) => `@modelcontextprotocol/${name}`);
  try {
    execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", ...packages], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
  } catch {
    console.error("The peers could not be installed from npm, so nothing stands beside ours.");
    return [];
  }
  return names.map((name) => {
    const home = join(folder, "node_modules", "@modelcontextprotocol", name);
    const { version, bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    return { name, version, script: join(home, String(Object.values(bin)[0])) };
  });
}
