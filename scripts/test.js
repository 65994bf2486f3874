// Runs all tests and ends with one plain line, `N passed, N failed`, that any reader of the output can find.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "recollect-test-"));
const report = join(scratch, "report.json");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");

const given = process.argv.slice(2).filter((argument) => argument !== "--all");
// Tables of similar cases are tried in full, see test/helpers/some-cases.ts.
const env = process.argv.includes("--all") ? { ...process.env, RECOLLECT_TEST_ALL: "1" } : process.env;
const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...given];
const { status } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, stdio: "inherit", env });

// The report has the last word: whoever ends PostgreSQL with the process ends that with 0, whatever has failed.
const {
  success = false,
  numPassedTests = 0,
  numFailedTests = 0,
  numPendingTests = 0,
} = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
rmSync(scratch, { recursive: true, force: true });
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : "";
console.log(`\n${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
process.exitCode = status === 0 && success && numPassedTests > 0 ? 0 : 1;
