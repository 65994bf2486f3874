import { RecollectError } from "../../kernel/errors.ts";
import type { Statement } from "./database.ts";

/** A root that lies in the database: what callers call it, and the space that it is there. */
export interface SpaceRoot {
  readonly name: string;
  readonly space: string;
  /** Nothing is changed there, whatever the policies above this store say. */
  readonly readOnly?: boolean;
}

export interface Spaces {
  readonly names: readonly string[];
  isReadOnly(root: string): boolean;
  /** The space of a root. Throws NOT_FOUND where there is no such root. */
  of(root: string): string;
}

/** The setting by which the tables' policies go holds a list of names, so none may hold what stands between two. */
const form = /^[^\p{Cc}]{1,200}$/u;

export function createSpaces(roots: readonly SpaceRoot[]): Spaces {
  const spaces = new Map(roots.map(({ name, space }) => [name, space]));
  if (spaces.size < roots.length || new Set(spaces.values()).size < roots.length) {
    throw new RecollectError("INVALID_ARGUMENT", "Two roots have the same name or space. Give each its own.");
  }
  // Halves of characters are all the same to the database.
  if (roots.some(({ space }) => !form.test(space) || !space.isWellFormed())) {
    throw new RecollectError("INVALID_ARGUMENT", "A space's name has 1 to 200 characters, and no control characters.");
  }
  const readOnly = new Set(roots.filter((root) => root.readOnly).map(({ name }) => name));
  return {
    names: [...spaces.keys()],
    isReadOnly: (root) => readOnly.has(root),
    of: (root) => {
      const space = spaces.get(root);
      if (space !== undefined) return space;
      throw new RecollectError("NOT_FOUND", `There is no root “${root}”.`, { data: { root } });
    },
  };
}

/** Around each name of a space in the setting that the policies of the tables go by. */
const separator = "\x1f";

/** From here to the end of the transaction the database shows the rows of these spaces, and of no other. */
export function scopeOf(spaces: readonly string[]): Statement {
  const names = ["", ...spaces, ""].join(separator);
  return {
    name: "scope",
    text: "SELECT set_config('recollect.spaces', $1, true)",
    values: [names],
    isSetting: true,
  };
}
