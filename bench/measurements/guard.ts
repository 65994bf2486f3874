import { parseDocumentPath } from "../../src/core/document-path.ts";
import { createGuard } from "../../src/guard/guard.ts";
import { rules } from "../../src/guard/rules/all.ts";
import { seedList } from "../../src/guard/rules/seed-list.ts";
import { createContentGuard } from "../../src/workspace/content-guard.ts";
import { interleave } from "../interleave.ts";
import type { Measurement, Row } from "../measurement.ts";

const hostileLength = 256 * 1024;
const ordinaryLength = 5 * 1024;

/**
 * The guard on texts made to slow it down, beside a plain scan of an ordinary text of the same length: that of seed 003,
 * which looks for each of its literals in lower case. And on ordinary notes, where it must not be felt.
 */
export const guard: Measurement = {
  name: "guard",
  run: async () => {
    const { scan } = createGuard({ policy: "standard", allowed: new Set() });
    const judge = await createContentGuard({ policy: "standard", allowed: () => new Set(), log: () => {} })();
    const plainText = ordinary(hostileLength);
    const note = ordinary(ordinaryLength);
    const hostile: Row[] = [];
    for (const [name, text] of slowest(hostileTexts(), scan)) {
      const subjects = { ours: () => scan(text), plain: () => plainScan(plainText) };
      const times = await interleave(subjects, { warmUp: 5, measured: 40 });
      hostile.push({
        measurement: `guard: 256 KiB of ${name}`,
        unit: "ms",
        ours: times.ours.median,
        p90: times.ours.p90,
        reference: { name: "the seed's literals", value: times.plain.median, p90: times.plain.p90 },
        limit: 20,
        details: times,
      });
    }
    const at = { root: "memory", path: parseDocumentPath("notes/today.md") };
    const notes = await interleave(
      {
        scan: () => scan(note),
        judge: () => judge([{ at, nameBefore: at.path, before: note, after: `${note}\n- more\n` }]),
      },
      { warmUp: 200, measured: 1000 },
    );
    return [
      ...hostile,
      {
        measurement: "guard: scan 5 KB of Markdown",
        unit: "ms",
        ours: notes.scan.median,
        p90: notes.scan.p90,
        limit: 3,
      },
      {
        measurement: "guard: judge an append to 5 KB",
        unit: "ms",
        ours: notes.judge.median,
        p90: notes.judge.p90,
        limit: 3,
      },
    ];
  },
};

/** The three worst of some hundred, by their best times: by others a busy machine would choose. */
function slowest(texts: readonly [string, string][], scan: (text: string) => unknown): [string, string][] {
  const best = (text: string) =>
    Math.min(
      ...Array.from({ length: 4 }, () => {
        const start = performance.now();
        scan(text);
        return performance.now() - start;
      }),
    );
  const timed = texts.map(([name, text]) => ({ name, text, time: best(text) }));
  return timed
    .toSorted((a, b) => b.time - a.time)
    .slice(0, 3)
    .map(({ name, text }) => [name, text]);
}

function plainScan(text: string): number {
  const lower = text.toLowerCase();
  let found = 0;
  for (const literal of seedList) {
    const wanted = literal.toLowerCase();
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) found += 1;
  }
  return found;
}

/** A note about logins: it has the words that the guard stumbles over, and no secret. */
function ordinary(length: number): string {
  const entry = [
    "## 2025-02-03: Token refresh loops after a password reset",
    "**Context:** the API gateway, `src/auth/refresh.ts`, see issue #4211 and commit 9fceb02d0ae598e95dc970b74767f19372d61af8.",
    "**Problem:** The access token: a short-lived string that expires after 15 minutes. The client kept the old one.",
    "**Solution:** Read `API_KEY=$API_KEY` at start; the secret is in the vault, path `kv/data/payments`.",
    "```ts",
    'const token = await fetchToken({ secret: process.env["CLIENT_SECRET"], scope: "read" });',
    "```",
    "Nothing else changed: tests, builds and the deployment run as before, and the dashboards are green again.",
    "---",
    "",
  ].join("\n");
  return entry.repeat(Math.ceil(length / entry.length)).slice(0, length);
}

function hostileTexts(): [name: string, text: string][] {
  const fill = (piece: string) => piece.repeat(Math.ceil(hostileLength / piece.length)).slice(0, hostileLength);
  const perRule = rules.flatMap(({ id, anchors, matches }): [string, string][] => [
    ...anchors.map((anchor): [string, string] => [`“${anchor}” (${id})`, fill(anchor)]),
    ...matches.flatMap((match, index): [string, string][] => [
      [`${id}, example ${index}`, fill(`${match}\n`)],
      [`${id}, example ${index} without its end`, fill(`${match.slice(0, -2)} `)],
    ]),
  ]);
  return [
    ...perRule,
    ["assignments", fill("password=")],
    ["“password for a b is”", fill("password for a b is ")],
    ["base64", fill("aGVsbG8gd29ybGQ/")],
    ["escapes in words", fill("a%67 ")],
    ["zero width between letters", fill("a\u200b")],
    ["joiners between emoji", fill("👩\u200d")],
  ];
}
