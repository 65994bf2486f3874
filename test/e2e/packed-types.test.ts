import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { checkout } from "../helpers/checkout.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const run = promisify(execFile);
const folders = temporaryFolders();
let app = "";

/** What a user has after `npm install recollect` and `npm install -D typescript @types/node`, without a network. */
beforeAll(async () => {
  app = folders.make();
  const modules = join(app, "node_modules");
  mkdirSync(modules);
  // The build is there already: what it makes is packed as it is, but for code and models. To press those costs seconds.
  const lean = folders.make();
  cpSync(join(checkout, "package.json"), join(lean, "package.json"));
  cpSync(join(checkout, "dist"), join(lean, "dist"), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || path.endsWith(".d.ts"),
  });
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", app], { cwd: lean });
  const { version, dependencies } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  await run("tar", ["-xzf", join(app, `recollect-${version}.tgz`), "-C", modules]);
  renameSync(join(modules, "package"), join(modules, "recollect"));
  // Types that only this checkout has, such as those of pg, are not among them.
  for (const name of [...Object.keys(dependencies), "@types/node", "undici-types"]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(checkout, "node_modules", name), join(modules, name));
  }
  writeFileSync(join(app, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(
    join(app, "app.ts"),
    `import { openWorkspace, RecollectError, type Workspace } from "recollect";

export async function firstLine(name: string): Promise<string | undefined> {
  const workspace: Workspace = await openWorkspace({ project: "." });
  try {
    const { content } = await workspace.memories.read(name);
    // @ts-expect-error: the types are really there, and not all of them "any".
    const wrong: number = content;
    const found = await workspace.search.search({ query: name });
    return content.split("\\n")[0] ?? found.hits[0]?.snippet ?? String(wrong);
  } catch (error) {
    if (error instanceof RecollectError && error.code === "NOT_FOUND") return undefined;
    throw error;
  } finally {
    await workspace.close();
  }
}
`,
  );
});

describe("LIB-1 the types of the packed package", () => {
  it.each([
    ["nodenext", { module: "nodenext", target: "es2024" }],
    ["bundler", { module: "esnext", moduleResolution: "bundler", target: "es2022" }],
  ])("LIB-1 compile in a strict project without skipLibCheck, with %s", async (name, options) => {
    const project = join(app, `tsconfig.${name}.json`);
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
    const compilerOptions = { ...options, ...strict, noEmit: true, types: ["node"] };
    writeFileSync(project, JSON.stringify({ compilerOptions, files: ["app.ts"] }));
    const tsc = join(checkout, "node_modules/typescript/bin/tsc");
    const told = await run(process.execPath, [tsc, "-p", project], { cwd: app }).catch((error) => error);
    expect(told.stdout).toBe("");
  });
});
