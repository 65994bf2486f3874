// Pictures of every screen of the dashboard, on an example memory: light, dark and on a phone. For people to look at.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { allScreens } from "../test/http/dashboard/all-screens.ts";
import { exampleFiles, exampleWrites } from "../test/http/dashboard/example-memory.ts";
import { goTo, serveDashboard } from "../test/http/dashboard/served-dashboard.ts";

const folder = process.argv[2] ?? fileURLToPath(new URL("../.rig/screenshots", import.meta.url));
const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
};

const served = await serveDashboard(exampleFiles);
try {
  await exampleWrites(served);
  for (const [look, options] of Object.entries(looks)) {
    mkdirSync(join(folder, look), { recursive: true });
    const page = await served.open("#/", options);
    for (const [name, hash, sign] of allScreens) {
      await goTo(page, hash);
      await page.locator(sign).first().waitFor();
      await keep(page, look, name);
    }
    const stranger = await (await served.browser.newContext(options)).newPage();
    await stranger.goto(served.server.origin);
    await stranger.getByLabel("Token").waitFor();
    await keep(stranger, look, "sign in");
    await stranger.context().close();
  }
} finally {
  await served.close();
}
console.log(`${(allScreens.length + 1) * Object.keys(looks).length} pictures in ${folder}`);

async function keep(page: Page, look: string, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, look, `${name.replaceAll(" ", "-")}.png`) });
}
