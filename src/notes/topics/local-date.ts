/** Today as YYYY-MM-DD where the user is, not in Greenwich. */
export function localDate(now = new Date()): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

const quarterMs = 15 * 60 * 1000;
const mostKept = 10_000;

/** The same for many times: no zone differs from Greenwich by less than quarters of an hour, within which no day ends. */
export function createLocalDates(): (milliseconds: number) => string {
  const known = new Map<number, string>();
  return (milliseconds) => {
    // A whole number for the map, which is slow with others.
    const quarter = Math.floor(milliseconds / quarterMs) | 0;
    const found = known.get(quarter);
    if (found !== undefined) return found;
    const date = localDate(new Date(milliseconds));
    if (known.size >= mostKept) known.clear();
    known.set(quarter, date);
    return date;
  };
}
