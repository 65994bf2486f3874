/** The character references that people write in notes. Others stay as they were written. */
const named = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: "\u00a0",
    copy: "©",
    reg: "®",
    trade: "™",
    hellip: "…",
    mdash: "—",
    ndash: "–",
    lsquo: "‘",
    rsquo: "’",
    ldquo: "“",
    rdquo: "”",
    bull: "•",
    middot: "·",
    times: "×",
    deg: "°",
    larr: "←",
    rarr: "→",
    harr: "↔",
    le: "≤",
    ge: "≥",
    ne: "≠",
    sect: "§",
    euro: "€",
  }),
);

/** Resolves character references of a text, once: what comes out is text, never markup. */
export function resolveEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named.get(name) ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  });
}
