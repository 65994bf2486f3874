import { join } from "node:path";
import { packageFolder } from "./package-folder.ts";

/** Where the package keeps its table. */
export function staticTableFolder(): string {
  return join(packageFolder(), "models", "static");
}
