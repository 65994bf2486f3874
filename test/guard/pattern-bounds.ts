/**
 * Why an expression could take more than bounded time: a repetition without end, or a variable one inside another that
 * turns more than a few times. Undefined where it cannot. A bounded repetition may still be read and given back: what
 * that costs is limited by what a failure is charged, not by this.
 */
export function unboundedPart(source: string): string | undefined {
  const plain = source.replaceAll(/\\./g, "e").replaceAll(/\[(?:[^\]])*\]/g, "c");
  const endless = /[*+]|\{\d+,\}/.exec(plain.replaceAll(/\(\?/g, "("));
  if (endless) return `“${endless[0]}” has no end`;
  const opened: number[] = [];
  for (let at = 0; at < plain.length; at += 1) {
    if (plain[at] === "(") opened.push(at);
    if (plain[at] !== ")") continue;
    const inside = plain.slice(opened.pop(), at);
    const turns = /^\{(?:\d+,)?(\d+)\}/.exec(plain.slice(at + 1))?.[1];
    if (Number(turns ?? 1) > 4 && /\{\d+,\d+\}/.test(inside)) return `“${inside})” turns ${turns} times`;
  }
  return undefined;
}
