import { createHash } from "node:crypto";
import { basename } from "node:path";
import { realPathOf } from "./real-path.ts";
import type { DefaultContext } from "./setting.ts";
import { ownSpaceText, projectNameText, spacePlace } from "./setting-types.ts";

/** Too many for a folder in a clone whose name was chosen so that it has those of another project. */
const placeDigits = 16;
/** So many leave room for the digits in a part of a space's name. */
const mostNameCharacters = 40;

/** Where a database is configured, roots lie in a space of it unless somebody said otherwise. */
export function inDatabase(part: string, otherwise: string | ((context: DefaultContext) => string)) {
  return (context: DefaultContext): string => {
    if (context.isSet("database.url")) {
      const space = context.given("database.space") ?? databaseSpaceOf(context);
      return spacePlace(`${space}/${part}`);
    }
    return typeof otherwise === "string" ? otherwise : otherwise(context);
  };
}

/** Anybody can call a folder as another project is called, and a clone is called as its owner likes. */
export function databaseSpaceOf({ project }: DefaultContext): string {
  if (project === undefined) return "default";
  const folder = realPathOf(project);
  const place = createHash("sha256").update(folder).digest("hex").slice(0, placeDigits);
  const short = [...basename(folder)].slice(0, mostNameCharacters).join("");
  return ownSpaceText.safeParse(`${short}-${place}`).data ?? `project-${place}`;
}

/** A folder may have a name that no part of a bank can have; then the bank needs a name by configuration. */
export function projectNameOf({ project }: DefaultContext): string | undefined {
  return projectNameText.safeParse(basename(project ?? "")).data;
}
