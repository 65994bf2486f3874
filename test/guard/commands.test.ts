import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { programs } from "../../src/guard/rules/commands.ts";
import { made } from "../../src/guard/rules/made.ts";

const guard = createGuard({ policy: "standard", allowed: new Set() });

/** A command of this form, with `value` where the password or key stands. */
function commandOf(name: string, form: string, value: string): string {
  const words = form.split(" ");
  const filled = words.map((word, index) =>
    words.length > 1 && index === 0
      ? word
      : word.replace(/(?<![A-Za-z])[XK](?![A-Za-z])|(?<=^-[A-Za-z]{1,3})X$/, value),
  );
  return `${name} ${filled.join(" ").replaceAll(/(?<![A-Za-z])_(?![A-Za-z])/g, "main")}`;
}

const cases = programs.flatMap(({ name, forms }) => forms.map((form) => ({ name, form })));

describe("GUARD-2 the table of programs", () => {
  it("GUARD-2 has a password or key found in each form of each program", () => {
    const missed = cases.filter(({ name, form }) => guard.scan(commandOf(name, form, made(24))).length === 0);
    expect(missed).toEqual([]);
  });

  it.each(["$PASSWORD", `$${"{TOKEN_2}"}`, "<password>", "%SECRET%", "********", "changeme", "/run/secrets/db2"])(
    "GUARD-2 lets %s pass in each form of each program",
    (value) => {
      const refused = cases.filter(({ name, form }) => guard.scan(commandOf(name, form, value)).length > 0);
      expect(refused).toEqual([]);
    },
  );
});
