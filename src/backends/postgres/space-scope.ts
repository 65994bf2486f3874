import type { Statement } from "./database.ts";

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
