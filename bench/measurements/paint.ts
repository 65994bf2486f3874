import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as driver } from "playwright-core";
import { repository } from "../library.ts";
import type { Measurement, Row } from "../measurement.ts";
import { sampleText } from "../sample-text.ts";
import { type ServeProcess, startServe } from "../serve-process.ts";
import { summarize } from "../statistics.ts";
import { withWorkFolder } from "../work-folder.ts";

const rounds = { warmUp: 3, measured: 20 };
const count = 10_000;
const patience = 30_000;

/** When a browser first shows something of the dashboard: with many memories beside none, by turns. And what it loads. */
export const paint: Measurement = {
  name: "paint",
  run: () =>
    withWorkFolder(async (folder) => {
      const [many, none] = [join(folder, "many"), join(folder, "none")];
      writeNotes(join(many, "project/.serena/memories/many"));
      const servers = { many: await startServe(many), none: await startServe(none) };
      const browser = await driver.launch({
        executablePath: await chromium.executablePath(),
        args: ["--no-sandbox", "--disable-gpu"],
      });
      try {
        const times = await paints(browser, servers);
        const [ours, floor] = [summarize(times.many), summarize(times.none)];
        return [
          {
            measurement: "first paint of the dashboard with 10,000 memories",
            unit: "ms",
            ours: ours.median,
            p90: ours.p90,
            reference: { name: "with none", value: floor.median, p90: floor.p90 },
            limit: 1.5,
            details: { ours, floor },
          },
          scriptSize(),
        ];
      } finally {
        await browser.close();
        for (const { child } of Object.values(servers)) child.kill("SIGKILL");
      }
    }),
};

async function paints(browser: Browser, servers: Readonly<Record<"many" | "none", ServeProcess>>) {
  const times = { many: [] as number[], none: [] as number[] };
  for (let round = 0; round < rounds.warmUp + rounds.measured; round += 1) {
    const names = (["many", "none"] as const).toSorted(() => (round % 2 === 0 ? 1 : -1));
    for (const name of names) {
      const time = await firstPaint(browser, servers[name]);
      if (round >= rounds.warmUp) times[name].push(time);
    }
  }
  return times;
}

/** In a tab that has seen nothing yet; the overview is awaited, so that nobody's work reaches into the next turn. */
async function firstPaint(browser: Browser, { origin, token }: ServeProcess): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    await page.goto(`${origin}/#token=${token}`);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0");
    return Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"));
  } finally {
    await context.close();
  }
}

function scriptSize(): Row {
  const folder = join(repository, "dist/dashboard");
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const bytes = scripts.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
  const ours = bytes.reduce((sum, size) => sum + size, 0) / 1000;
  return { measurement: "script of the dashboard, compressed", unit: "KB", ours, limit: 100 };
}

function writeNotes(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    writeFileSync(join(folder, `note-${index}.md`), `# Note ${index}\n\n${sampleText("paint")}`);
  }
}
