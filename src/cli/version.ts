import { createRequire } from "node:module";

// Resolved at run time, so that the bundle and the plain build read the same package.json.
const manifest = createRequire(import.meta.url)("recollect/package.json") as { version: string };

export const version = manifest.version;
