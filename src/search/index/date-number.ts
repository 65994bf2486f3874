const day = /^(\d{4})-(\d\d)-(\d\d)$/;

/** `2025-01-31` as 20250131, which orders as the text does; 0 where there is none. */
export function dateNumber(date: string | undefined): number {
  const parts = date === undefined ? null : day.exec(date);
  return parts ? Number(`${parts[1]}${parts[2]}${parts[3]}`) : 0;
}

export function dateText(date: number): string | undefined {
  if (date === 0) return undefined;
  const digits = String(date).padStart(8, "0");
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** The day of a moment, as the reader's own calendar has it. */
export function localDayNumber(milliseconds: number): number {
  const moment = new Date(milliseconds);
  return moment.getFullYear() * 10_000 + (moment.getMonth() + 1) * 100 + moment.getDate();
}
