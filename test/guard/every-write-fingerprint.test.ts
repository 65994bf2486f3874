import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { made } from "../../src/guard/rules/made.ts";
import { openJudge } from "./judge.ts";

const scan = (text: string) => createGuard({ policy: "standard", allowed: new Set() }).scan(text);
const hex = (from: number) => made(60, "hex").slice(from, from + 32);
const dsn = (key: string) => `dsn: https://${key}@o1234.ingest.us.${"sentry"}.io/5678`;
const discord = (id: string) => `bot ${id}.${made(6)}.${made(38)}`;
const telegram = (id: string) => `bot ${id}:A${"A"}${made(33)}`;

describe("GUARD-4 a fingerprint stands for the whole value, also for what stands before its anchor", () => {
  it.each([
    ["sentry-dsn", dsn(`${hex(0)}:${hex(1)}`), dsn(`${hex(0)}:${hex(2)}`), 14],
    ["discord-bot-token", discord(`M${made(23)}`), discord(`M${made(24).slice(1)}`), 5],
    ["discord-bot-token", discord(`M${made(23)}`), discord(`N${made(26)}`), 5],
    ["telegram-bot-token", telegram("1234567890"), telegram("123456789"), 5],
  ])("GUARD-4 %s: allowing one allows no other", async (rule, one, other, column) => {
    const [first] = scan(one);
    const [second] = scan(other);
    expect([first, second]).toMatchObject([
      { rule, line: 1, column },
      { rule, line: 1, column },
    ]);
    expect(first?.fingerprint).not.toBe(second?.fingerprint);
    const options = { policy: "standard", allowed: new Set([first?.fingerprint ?? ""]) } as const;
    const allowing = createGuard(options);
    const judge = await openJudge(options);
    expect(allowing.scan(one).filter((finding) => finding.rule === rule)).toEqual([]);
    expect(judge({ name: "a.md", before: one, after: `${one}\n${other}` })).toMatchObject([{ rule, line: 2 }]);
  });
});
