import { execFileSync } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sabotage } from "../sabotage.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const copied = ["bin", "scripts", "skills", "package.json", "tsconfig.json", "tsconfig.build.json"];
const linked = ["node_modules", "models", "schema"];

/** The program of the build under test: the checkout's, or that of a copy which is broken on purpose. */
export function programOf(broken: string | undefined): string {
  const folder = broken === undefined ? root : buildBroken(broken);
  return join(folder, "bin/recollect.cjs");
}

function buildBroken(name: string): string {
  const folder = dirname(sabotage(name));
  for (const each of copied) cpSync(join(root, each), join(folder, each), { recursive: true });
  for (const each of linked) symlinkSync(join(root, each), join(folder, each));
  console.log(`rig:clients: building ${name}`);
  execFileSync(process.execPath, [join(folder, "scripts/build.js")], { cwd: folder, stdio: "inherit" });
  return folder;
}
