/** Today as YYYY-MM-DD where the user is, not in Greenwich. */
export function localDate(now = new Date()): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
