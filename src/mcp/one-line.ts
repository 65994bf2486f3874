/** Text from files in a line of ours: no line breaks, nothing invisible, and not for ever. */
export function onOneLine(text: string, most: number): string {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  const characters = [...plain];
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : plain;
}
