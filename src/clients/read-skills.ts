import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A skill of the package, as clients take it: a folder of this name with one file. */
export interface Skill {
  readonly name: string;
  readonly text: string;
}

export function readSkills(packageFolder: string): Skill[] {
  const folder = join(packageFolder, "skills");
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name, "SKILL.md"), "utf8") }));
}
