import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTo, linkToPlace } from "../../../src/http/dashboard/route.ts";
import { goTo, memoriesRoot, type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

/** Each would call `pwned()`, show a dialog or ask another server, if any of it were markup, script or a link. */
const payloads = [
  "<script>pwned()</script>",
  "<script src=https://evil.example/x.js></script>",
  "<img src=x onerror=pwned()>",
  '<img src="https://evil.example/pixel.png">',
  "<svg onload=pwned()>",
  "<svg><script>pwned()</script></svg>",
  "<svg><animate onbegin=pwned() attributeName=x dur=1s>",
  "<body onload=pwned()>",
  "<iframe src=javascript:pwned()></iframe>",
  '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
  "<object data=javascript:pwned()>",
  "<embed src=https://evil.example/x.swf>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<style>@import 'https://evil.example/x.css'; body{background:url(https://evil.example/b)}</style>",
  '<div style="background:url(https://evil.example/c)">x</div>',
  "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
  "<base href=https://evil.example/>",
  "<form action=https://evil.example/><button autofocus onfocus=pwned()>x</button></form>",
  "<details open ontoggle=pwned()>x</details>",
  "<video><source onerror=pwned()></video>",
  "<audio src=x onerror=pwned()>",
  "<input autofocus onfocus=pwned()>",
  "<math><mtext><table><mglyph><style><img src=x onerror=pwned()>",
  "<noscript><p title='</noscript><img src=x onerror=pwned()>'>",
  "<a href=javascript:pwned()>x</a>",
  "[x](javascript:pwned())",
  "[x](JaVaScRiPt:pwned())",
  "[x](java\tscript:pwned())",
  "[x](&#106;avascript:pwned())",
  "[x](<javascript:pwned()>)",
  "[x][r]\n\n[r]: javascript:pwned()",
  "[x](data:text/html,<script>pwned()</script>)",
  "[x](vbscript:pwned())",
  '[x](https://example.org/"onmouseover="pwned())',
  "<javascript:pwned()>",
  "![x](https://evil.example/pixel.png)",
  "![x](javascript:pwned())",
  '![x" onerror="pwned()](x)',
  "[![x](https://evil.example/p.png)](javascript:pwned())",
  "`<img src=x onerror=pwned()>`",
  "```html\n<script>pwned()</script>\n```",
  '```"><img src=x onerror=pwned()>\nx\n```',
  "| <img src=x onerror=pwned()> |\n|---|\n| <script>pwned()</script> |",
  "- <img src=x onerror=pwned()>\n  - <script>pwned()</script>",
  "> <script>pwned()</script>",
  "&lt;script&gt;pwned()&lt;/script&gt;",
  "&#60;img src=x onerror=pwned()&#62;",
  "{{constructor.constructor('pwned()')()}}",
  "$\u007bpwned()}",
  "</textarea><script>pwned()</script>",
  "</title><script>pwned()</script>",
  "--><script>pwned()</script>",
  "]]><script>pwned()</script>",
  "mem:<img src=x onerror=pwned()>",
  '[x](mem:x"onclick="pwned())',
  "<x onclick=pwned() id=app>x</x>",
  "<img name=body><img id=main><form id=app><input name=attributes></form>",
  "\u202e<script>pwned()</script>",
];

/** Names that a file system takes, whatever the kernel thinks of them. */
const names = [
  "<img src=x onerror=pwned()>.md",
  '"onmouseover="pwned()" x=".md',
  "'-pwned()-'.md",
  "javascript:pwned().md",
  "#token=rcl_evil.md",
  "%3Cscript%3Epwned()%3C%2Fscript%3E.md",
  "{{pwned()}}.md",
];

let served: ServedDashboard;

beforeAll(async () => {
  served = await serveDashboard((project) => {
    const folder = join(project, memoriesRoot, "hostile");
    mkdirSync(folder, { recursive: true });
    for (const [index, payload] of payloads.entries()) {
      const [line] = payload.split("\n");
      writeFileSync(join(folder, `p${index}.md`), `---\nsummary: ${line}\n---\n# ${line} payload\n\n${payload}\n`);
    }
    for (const name of names) writeFileSync(join(folder, name), `# ${name}\n\npayload\n`);
  });
  const topics = served.workspace.topics;
  for (const [index, payload] of payloads.slice(0, 8).entries()) {
    const text = payload.replaceAll("\n", " ");
    await topics.store({
      topic: "hostile",
      subtopic: `s${index}`,
      title: text,
      context: text,
      problem: text,
      solution: text,
    });
  }
});
afterAll(() => served.close());

/** A tab that notes whatever must not happen. */
async function watched(): Promise<{ page: Page; trespasses: string[] }> {
  const page = await served.open();
  const trespasses: string[] = [];
  page.on("dialog", (dialog) => {
    trespasses.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${served.server.origin}/`)) trespasses.push(`request ${request.url()}`);
  });
  page.on("popup", () => trespasses.push("popup"));
  page.on("pageerror", (error) => trespasses.push(`error ${error.message}`));
  await page.exposeFunction("pwned", () => trespasses.push("script"));
  await page.exposeFunction("violated", (what: string) => trespasses.push(`policy ${what}`));
  await page.evaluate("addEventListener('securitypolicyviolation', (event) => violated(event.blockedURI))");
  return { page, trespasses };
}

const elements = "script, img, iframe, object, embed, link, style, meta, base, form, video, audio, svg, math";

describe("content of memories is never executed, and nothing remote is loaded (WEB-3)", () => {
  it("in notes, rendered and as source, for every payload", async () => {
    const { page, trespasses } = await watched();
    for (const index of payloads.keys()) {
      await goTo(page, linkTo("read", [memoriesRoot, "hostile", `p${index}.md`]));
      await page.getByRole("heading", { level: 1, name: `hostile/p${index}`, exact: true }).waitFor();
      await page.locator(".prose").waitFor();
      const article = page.locator("article");
      expect(await article.locator(elements).count(), payloads[index]).toBe(0);
      const hrefs = await article
        .locator("a")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
      for (const href of hrefs) expect(href, payloads[index]).toMatch(/^(https?:|mailto:|#\/mem\/)/);
    }
    await page.getByRole("button", { name: "Source" }).click();
    await page.locator("ol.source").waitFor();
    expect(trespasses).toEqual([]);
  });

  it("in names, titles, snippets, topics, editors and differences", async () => {
    const { page, trespasses } = await watched();
    const visit = async (hash: string, sign: string) => {
      await goTo(page, hash);
      await page.locator(sign).first().waitFor();
      expect(await page.locator("main").locator("script, img, iframe, object, embed, style").count(), hash).toBe(0);
    };
    await visit(linkTo("browse", [memoriesRoot, "hostile"]), ".list-row");
    expect(await page.locator(".list-row").filter({ hasText: "onerror" }).count()).toBeGreaterThan(0);
    for (const name of names)
      await visit(linkToPlace("read", { root: memoriesRoot, path: `hostile/${name}` }), "main h1");
    await visit(linkTo("search", [], { q: "payload script pwned" }), "mark");
    await visit(linkTo("search", [], { q: payloads[2] ?? "" }), "main [role=status]");
    await visit(linkTo("topics"), ".entry .prose");
    await visit(linkTo("history"), "main h1");
    await visit(linkTo("guard"), "main h2");
    await visit(linkTo("edit", [memoriesRoot, "hostile", "p49.md"]), "textarea");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator(".preview .prose").waitFor();
    await visit(linkTo("history", [memoriesRoot, "hostile", "p0.md"]), "main h1");
    for (const payload of payloads) await visit(linkTo("mem", [payload]), "main h1");
    expect(await page.evaluate("sessionStorage.getItem('recollect.token')")).toBe(served.server.secret);
    expect(trespasses).toEqual([]);
  });

  it("would be noticed: the watch is trusted since it sees what is let through", async () => {
    const { page, trespasses } = await watched();
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('img'), { src: 'https://evil.example/x' }))",
    );
    await page.evaluate("pwned()");
    await expect.poll(() => trespasses.length).toBeGreaterThanOrEqual(2);
    expect(trespasses.join()).toContain("policy https://evil.example/x");
  });
});
