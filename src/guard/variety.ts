/** Bits a character, after Shannon. Random letters and digits of length 32 have about 4.5, `xxxx` has 0. */
export function entropyOf(text: string): number {
  const counts = new Uint16Array(128);
  for (let at = 0; at < text.length; at += 1) {
    // Other scripts share the places of ASCII: that can only lower the result.
    const place = text.charCodeAt(at) & 127;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Rules out what stands for the random part of a token in documentation: `XXXXXXXX`, `****`, `...`, `00000000`. */
export function isVaried(text: string): boolean {
  return !/x{6}|\*{3}|\.{3}|0{10}|…/i.test(text);
}

/** Letters and digits mixed as no language and no naming habit does. */
export function isRandom(text: string): boolean {
  if (!isVaried(text) || !/[A-Za-z]/.test(text) || entropyOf(text) < 2.5) return false;
  return (/[0-9]/.test(text) || text.length >= 24) && !isWordy(text);
}

// Names with a digit in them that are no secret: algorithms, types, protocols, sizes, versions.
const technical =
  /^(?:(?:sha|md|rs|hs|es|ps|ed|aes|utf|base|bcrypt|argon|pbkdf|oauth|http|x|int|uint|float|str|varchar|char|v|p|s|k|h|u|i|f|ipv|win|ec|curve|rsa|pkcs|tls|ssl|totp|web|py|python|node|es|db|pg|ec|part|step|level|phase|option|test|example|user|room|team|q|fy|rfc|cve|iso|api)[0-9]{1,5}[a-z]{0,3}|k8s|i18n|l10n|a11y|1password|2fa|argon2id|utf8mb4|[0-9]{1,6}(?:ms|s|m|min|h|d|w|days?|hours?|bits?|bytes?|b|kb|mb|gb|kib|mib|x|st|nd|rd|th|k|px|rem|em|req)?)$/i;

/**
 * Whether the text reads as names: words, and numbers or technical terms between them. `load_access_key`,
 * `base64-encoded`, `v2.1.0` and `AccessToken` do; `x9kQ2pL`, `hunter2` and `Summer2024` do not.
 */
export function isWordy(text: string): boolean {
  return text.split(/[^A-Za-z0-9\u0080-\uffff]/).every((part) => part === "" || technical.test(part) || isWord(part));
}

// Camel case has humps of a few letters; random letters change case every other one.
function isWord(part: string): boolean {
  if (/[0-9]/.test(part)) return false;
  if (part.length < 8) return true;
  const humps = part.match(/[A-Z]{1,24}[a-z]{0,24}|[a-z]{1,24}/g)?.length ?? 1;
  if (part.length / humps < (part.length < 12 ? 2.3 : 3) && /[a-z]/.test(part)) return false;
  // Languages have a vowel in about every third place; twelve letters with fewer than two were drawn, not written.
  const vowels = part.match(/[aeiouy]/gi)?.length ?? 0;
  if (vowels === 0) return !(/[a-z]/.test(part) && /[A-Z]/.test(part));
  return part.length < 12 || vowels / part.length >= 0.17;
}
