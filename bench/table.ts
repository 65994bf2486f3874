import { isWithinLimit, type Row, ratioOf } from "./measurement.ts";

export const headings = ["measurement", "ours", "beside it", "ratio", "limit", "ok"];

export function printTable(rows: readonly Row[]): void {
  printColumns([headings, ...rows.map(cellsOf)]);
}

/** The first line is the headings. */
export function printColumns(lines: readonly (readonly string[])[]): void {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  for (const cells of lines) {
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

export function cellsOf(row: Row): string[] {
  const ratio = ratioOf(row);
  const within = isWithinLimit(row);
  return [
    row.measurement,
    `${figure(row.ours, row.unit, row.p90)}${row.interval ? ` (${row.interval.map(digits).join(" to ")})` : ""}`,
    row.reference ? `${row.reference.name}: ${figure(row.reference.value, row.unit, row.reference.p90)}` : "",
    ratio === undefined ? "" : `${ratio.toFixed(2)} ×`,
    limitOf(row),
    within === undefined ? "" : within ? "yes" : "NO",
  ];
}

function limitOf({ limit, atLeast, reference, unit }: Row): string {
  if (limit === undefined) return "";
  return `${atLeast ? "≥ " : ""}${limit} ${reference ? "×" : unit}`;
}

function figure(value: number, unit: Row["unit"], p90: number | undefined): string {
  return `${digits(value)} ${unit}${p90 === undefined ? "" : ` (p90 ${digits(p90)})`}`;
}

function digits(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}
