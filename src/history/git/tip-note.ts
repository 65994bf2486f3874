/** How far history went, for whoever finds it gone or set back: the tip, or “none” before the first run has ended. */
export function toTipNote(tip: string | undefined): string {
  return `recollect history ${tip ?? "none"}\n`;
}

/** Undefined for a text that is none. */
export function parseTipNote(text: string): { readonly tip: string | undefined } | undefined {
  const said = /^recollect history (none|[0-9a-f]{40})\n$/.exec(text)?.[1];
  if (said === undefined) return undefined;
  return { tip: said === "none" ? undefined : said };
}
