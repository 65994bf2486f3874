import { describe, expect, it } from "vitest";
import { errorCodes, RecollectError } from "../../../src/app.ts";
import { statusOf, toFailure } from "../../../src/http/api/api-failure.ts";

const host = "/home/ada/secret-place";

describe("KER-9 errors as answers", () => {
  it.each(errorCodes)("KER-9 %s has one status, its words, and no place of the host", async (code) => {
    const data = { folder: host, cause: host, path: host, current: host, missing: host };
    const response = toFailure(new RecollectError(code, "What happened.", { data, cause: new Error(host) }), () => {});
    const text = await response.text();
    expect(response.status).toBe(statusOf[code]);
    expect(JSON.parse(text)).toMatchObject({ error: { code, message: "What happened." } });
    expect(text).not.toContain(host);
    expect(response.headers.get("retry-after")).toBe(response.status === 503 ? "1" : null);
  });

  it("KER-9 what nobody expected says nothing of itself, and is logged", async () => {
    const logged: unknown[] = [];
    const response = toFailure(new TypeError(`cannot read ${host}`), (...line) => logged.push(line));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain(host);
    expect(JSON.stringify(logged)).toContain(host);
  });

  it("GUARD-3 findings are told without anything but rule, place and fingerprint", async () => {
    const finding = {
      rule: "r",
      title: "t",
      line: 1,
      column: 2,
      where: "content",
      fingerprint: "f",
      value: "the value",
    };
    const response = toFailure(
      new RecollectError("SENSITIVE_CONTENT", "No.", { data: { findings: [finding] } }),
      () => {},
    );
    const { error } = (await response.json()) as { error: { data: unknown } };
    expect(error.data).toEqual({ findings: [{ rule: "r", line: 1, column: 2, fingerprint: "f" }] });
  });
});
