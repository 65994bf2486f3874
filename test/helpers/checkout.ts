import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this checkout, and what a user starts in it. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url));
export const bin = join(checkout, "bin", "recollect.cjs");
