import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./library.ts";
import type { Row } from "./measurement.ts";
import { cellsOfPeer, peerHeadings } from "./peers/table.ts";
import { cellsOf, headings } from "./table.ts";
import { resultFolder } from "./work-folder.ts";

/** Puts the figures of the last runs into docs/BENCHMARKS.md, each between its two marks. */
const page = join(repository, "docs", "BENCHMARKS.md");
const filled = ["recall", "search", "peers"].reduce(fill, readFileSync(page, "utf8"));
writeFileSync(page, filled);

interface Report {
  readonly time: string;
  readonly node: string;
  readonly platform: string;
  readonly processors: number;
  readonly model?: string;
  readonly load: readonly number[];
  readonly rows?: readonly Row[];
  readonly results?: readonly Parameters<typeof cellsOfPeer>[0][];
}

function fill(text: string, name: string): string {
  const file = join(resultFolder, `${name}.json`);
  if (!existsSync(file)) {
    console.error(`There are no figures of bench:${name} yet.`);
    return text;
  }
  const report = JSON.parse(readFileSync(file, "utf8")) as Report;
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no place for ${name}.`);
  return `${text.slice(0, from + begin.length)}\n\n${contentsOf(name, report)}\n\n${text.slice(to)}`;
}

function contentsOf(name: string, report: Report): string {
  const { time, node, platform, processors, model = "unknown", load, rows = [], results = [] } = report;
  const tables = { recall: () => recallTable(rows), search: () => searchTable(rows), peers: () => peerTable(results) };
  const table = tables[name as keyof typeof tables]();
  const day = time.slice(0, 10);
  return `${table}\n\nMeasured on ${day}: Node ${node}, ${platform}, ${processors} × ${model}, load ${load[0]} at the end.`;
}

/** One line for each set and way; the interval of what has a limit. */
function recallTable(rows: readonly Row[]): string {
  const lines = Map.groupBy(rows, ({ measurement }) => measurement.replace(/: [^:]+$/, ""));
  const cells = [...lines].map(([what, found]) => [
    what,
    ...found.map(
      ({ ours, interval = [0, 0] }) => `${ours.toFixed(1)} (${interval.map((value) => value.toFixed(1)).join("–")})`,
    ),
    found
      .filter(({ limit }) => limit !== undefined)
      .map((row) => `${row.measurement.split(": ").at(-1)} ${cellsOf(row).slice(-2).join(" ")}`)
      .join(", "),
  ]);
  return toMarkdown([["", "R@5", "R@10", "R@20", "MRR", "promised"], ...cells]);
}

/** What is promised first, then everything. */
function searchTable(rows: readonly Row[]): string {
  const table = (some: readonly Row[]) => toMarkdown([headings, ...some.map(cellsOf)]);
  const promised = table(rows.filter(({ limit }) => limit !== undefined));
  return `${promised}\n\n<details><summary>All figures of the run</summary>\n\n${table(rows)}\n\n</details>`;
}

function peerTable(results: readonly Parameters<typeof cellsOfPeer>[0][]): string {
  const left = results.flatMap(({ name, why }) => (why === undefined ? [] : [`${name}: ${why}.`]));
  return [toMarkdown([peerHeadings, ...results.map(cellsOfPeer)]), ...left].join("\n\n");
}

function toMarkdown([first = [], ...rest]: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [toLine(first), toLine(first.map(() => "---")), ...rest.map(toLine)].join("\n");
}
