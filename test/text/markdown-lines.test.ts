import { describe, expect, it } from "vitest";
import { closesFence, fenceOpenedBy, fences } from "../../src/text/markdown-lines.ts";

describe("a code fence", () => {
  it.each([
    ["```", "```"],
    ["```ts", "```"],
    ["   ~~~~ ` `", "~~~~"],
    ["    ```", undefined],
    ["``", undefined],
    ["``` `", undefined],
    ["**Code:** ```", undefined],
  ])("is opened by %j with the marks %j", (line, marks) => {
    expect(fenceOpenedBy(line)).toBe(marks);
  });

  it.each([
    ["**Code:** ```ts", "```"],
    ["**Code:**\t~~~", "~~~"],
    ["**Code:**```", undefined],
    ["**Code:** ``` `", undefined],
    ["  ```", "```"],
  ])("is opened in a topic by %j with the marks %j", (line, marks) => {
    expect(fenceOpenedBy(line, fences.topic)).toBe(marks);
  });

  it.each([
    ["```", "```", true],
    ["  ````\t\r", "```", true],
    ["``", "```", false],
    ["~~~", "```", false],
    ["``` ts", "```", false],
  ])("is closed by %j where its marks are %j: %j", (line, marks, isClosed) => {
    expect(closesFence(line, marks)).toBe(isClosed);
  });
});
