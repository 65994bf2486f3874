import { stripVTControlCharacters } from "node:util";

/** A line that names what went wrong, in the words of the usual tools. */
const telling =
  /\b(?:error|errors|exception|fatal|panic(?:ked)?|failed|failure|fail|cannot|can't|could not|couldn't|unable|not found|no such|denied|refused|undefined|unexpected|invalid|missing|timed? ?out|unresolved|unknown|conflict|abort(?:ed)?|killed|deadlock|expected|undeclared|segfault|unsupported|mismatch|exceeded|exhausted|not (?:ready|writable|available|supported|defined|found)|exited with code [1-9]|panic'ed|reverted)\b|<err>|\b[A-Z]\w*(?:Error|Exception)\b|\bE[A-Z]{4,}\b|^E {2,}|✗|×/i;
/** Lines that every failure of a tool has: they name the tool, not the error. */
const empty = [
  /^(?:npm|pnpm|yarn) (?:ERR!|error) (?:code|errno|path|command|syscall|lifecycle|Lifecycle script|A complete log)\b/i,
  /^(?:error )?command failed(?: with exit code \d+)?\.?$/i,
  /^(?:error: )?(?:process completed with |process exited with )?exit (?:code|status):? \d+$/i,
  /^make(?:\[\d+\])?: \*\*\*/,
  /^(?:ELIFECYCLE|error Command failed)/,
  /^(?:FAIL|FAILED|✗|×|❯)?\s*\S*(?:test|spec)\S*\.\w+(?:\s*\(.*\))?$/i,
  /^=+.*=+$/,
  /^(?:tests?|test (?:files|suites)|suites|snapshots|results?)\b.*\d+ (?:failed|passed|total)/i,
  /^\d+ (?:failed|passed|errors?|failing|problems?)\b/i,
  /^(?:found )?\d+ errors?(?: in .*)?\.?$/i,
  /^-+ *captured/i,
  /^error: test failed, to rerun/i,
  /^test result: failed/i,
  /^(?:the )?following (?:tests?|warnings?)/i,
];
const mostLines = 400;
const mostLineChars = 300;

/**
 * The lines of an output that say what went wrong, in their order and at most so many that differ, without what differs
 * from run to run: colours, times, addresses, places in files.
 */
export function tellingLines(output: string, most: number): string[] {
  const lines = stripVTControlCharacters(output)
    .split(/\r?\n/)
    .slice(-mostLines)
    .map((line) => line.trim().slice(0, mostLineChars))
    .filter((line) => line !== "" && telling.test(line) && !empty.some((pattern) => pattern.test(line)));
  return [...new Set(lines.map(normalisedLine).filter((line) => /\p{L}{3}/u.test(line)))].slice(0, most);
}

/** One line without what differs from run to run. */
export function normalisedLine(line: string): string {
  return line
    .toLowerCase()
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:z|[+-]\d\d:?\d\d)?)?\b/g, "#")
    .replaceAll(/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, "#")
    .replaceAll(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g, "#")
    .replaceAll(/\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/g, "#")
    .replaceAll(/\b\d+(?:\.\d+)?\s?(?:ms|µs|us|ns|s|sec|secs|seconds|min|mins|minutes)\b/g, "#")
    .replaceAll(/(?:[a-z]:)?(?:[\\/][\w.@+~-]+){2,}/g, (path) => path.split(/[\\/]/).at(-1) ?? "")
    .replaceAll(/(?::\d+){1,2}(?=\D|$)/g, ":#")
    .replaceAll(/\((?:\d+,\s?)?\d+\)/g, "(#)")
    .replaceAll(/\b(line|ln|column|col|pid|process|thread|port|took|after|in)[ =:]+\d+\b/g, "$1 #")
    .replaceAll(/\b\d+(?:\.\d+)?\s?(?:[kmgt]i?b|bytes|%)(?!\w)/g, "#")
    .replaceAll(/\b\d{5,}\b/g, "#")
    .replaceAll(/\s+/g, " ")
    .trim();
}
