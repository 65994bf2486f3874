/** Also what changes the reading direction: a name is shown to people, who decide by it. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a name is of one line, of characters that can all be seen, and no longer than this. */
export function isVisibleName(name: string, mostChars: number): boolean {
  return name.trim() !== "" && name.length <= mostChars && name.isWellFormed() && !unseen.test(name);
}
