import { beforeEach, describe, expect, it } from "vitest";
import { cli } from "../helpers/cli.ts";
import { errorOf } from "../helpers/error-of.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { type SettingsHome, settingsHome } from "./settings-home.ts";

const folders = temporaryFolders();
let at: SettingsHome;

beforeEach(() => {
  at = settingsHome(folders.make());
});

const withdrawn = [
  ["database", "replica_url", "postgres://me:SECRET@db.example.org/memory", /Search reads from database\.url/],
  ["database", "replica_staleness_ms", "900", /Search reads from database\.url/],
  ["search", "model_folder", "~/model", /set search\.model to none, local or endpoint/],
] as const;

describe("a setting that was withdrawn", () => {
  it("CFG-1 the value onnx of search.model is refused with what to do, wherever it is given", async () => {
    const says = { message: expect.stringMatching(/onnx was withdrawn.*set search\.model to none, local or endpoint/) };
    expect(await errorOf(() => at.resolve({ env: { RECOLLECT_SEARCH_MODEL: "onnx" } }))).toMatchObject(says);
    expect(await errorOf(() => at.resolve({ flags: { "--search-model": "onnx" } }))).toMatchObject(says);
    at.writeUser("search:\n  model: onnx\n");
    expect(await errorOf(() => at.resolve({}))).toMatchObject(says);
  });

  it.each(withdrawn)(
    "CFG-1 %s.%s is refused in a file, with its line and what to do",
    async (section, name, value, says) => {
      at.writeUser(`log_level: error\n${section}:\n  ${name}: ${value}\n`);
      const error = await errorOf(() => at.resolve({}));
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringMatching(says) });
      expect(error).toMatchObject({
        message: expect.stringMatching(`:3:3 ${section}.${name} was withdrawn: remove it\\.`),
      });
      expect(String(error)).not.toContain("SECRET");
    },
  );

  it.each(withdrawn)(
    "CFG-1 %s.%s is refused as a variable, unless that is empty",
    async (section, name, value, says) => {
      const variable = `RECOLLECT_${section}_${name}`.toUpperCase();
      const error = await errorOf(() => at.resolve({ env: { [variable]: value } }));
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringMatching(says) });
      expect(error).toMatchObject({ message: expect.stringContaining(`${variable} was withdrawn: remove it.`) });
      expect(String(error)).not.toContain("SECRET");
      await at.resolve({ env: { [variable]: "" } });
    },
  );

  it.each(withdrawn)(
    "CFG-1 %s.%s is refused as a flag, whose value is not shown",
    async (section, name, value, says) => {
      const flag = `--${section}-${name}`.replaceAll("_", "-");
      for (const given of [[flag, value], [`${flag}=${value}`]]) {
        const said = await cli(["memories", "list", ...given]);
        expect(said).toMatchObject({ code: 2, out: "", err: expect.stringMatching(says) });
        expect(said.err).toContain(`${flag} was withdrawn: remove it.`);
        const asJson = await cli(["memories", "list", "--json", ...given]);
        expect(asJson.code).toBe(2);
        expect(JSON.parse(asJson.err).error.message).toMatch(says);
        expect(said.err + asJson.err).not.toContain("SECRET");
      }
    },
  );
});
