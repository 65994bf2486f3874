import { fileURLToPath, pathToFileURL } from "node:url";

export const repository = fileURLToPath(new URL("..", import.meta.url));

/** The built library, which is what users run; its types come from the sources, so that no build is needed to check them. */
export async function loadLibrary(): Promise<typeof import("../src/app.ts")> {
  return import(pathToFileURL(`${repository}dist/app.js`).href);
}
