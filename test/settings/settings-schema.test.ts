import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { settingsSchema } from "../../scripts/settings-schema.ts";
import { settingKeys, settingOf } from "../../src/settings/settings.ts";

const place = new URL("../../schema/recollect.schema.json", import.meta.url);
const committed = JSON.parse(readFileSync(place, "utf8"));

it("CFG-1 the published schema is that of the settings; otherwise run npm run settings:schema", () => {
  expect(committed).toEqual(JSON.parse(JSON.stringify(settingsSchema())));
});

it("CFG-1 the schema has every setting in its nested place, described, and allows no other key", () => {
  expect(committed.additionalProperties).toBe(false);
  for (const key of settingKeys) {
    const names = key.split(".");
    const section = names.length === 1 ? committed : committed.properties[names[0] ?? ""];
    expect(section.additionalProperties).toBe(false);
    const schema = section.properties[names.at(-1) ?? ""];
    expect(schema.description).toContain(settingOf(key).description);
    const kinds: { type: string }[] = schema.anyOf ?? [schema];
    for (const { type } of kinds) expect(type).toMatch(/^(string|boolean|integer|number|array)$/);
  }
});

it("CFG-1 no two settings share a variable or a flag", () => {
  const all = settingKeys.map(settingOf);
  for (const names of [all.map(({ env }) => env), all.flatMap(({ flags }) => flags.map(({ name }) => name))]) {
    expect(new Set(names).size).toBe(names.length);
  }
});
