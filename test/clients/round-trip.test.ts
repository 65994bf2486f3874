import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { applyEdits, modify, parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { type ClientName, clients } from "../../src/clients/clients.ts";
import { applyFilePlan } from "../../src/clients/file-plan.ts";
import { planSetup } from "../../src/clients/plan.ts";
import { planRemoval } from "../../src/clients/plan-removal.ts";
import { documentsOf } from "../helpers/folder-snapshot.ts";
import { someRuns } from "../helpers/some-cases.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { jsoncTexts } from "./jsonc-texts.ts";
import { tomlTexts } from "./toml-texts.ts";

const folders = temporaryFolders();

/** A home folder in which some files of one client stand. */
function homeOf(name: ClientName, files: Readonly<Record<string, string>>) {
  const home = folders.make();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
  }
  const chosen = clients.filter((client) => client.name === name);
  const init = (command: string) => {
    const launch = { kind: "checkout", bin: command } as const;
    const about = { home, project: home, launch, platform: "linux", searchPath: [], flags: {}, skills: [] } as const;
    return { ...about, clients: chosen, scope: "user" } as const;
  };
  const write = (request: ReturnType<typeof init>) => planSetup(request).map(applyFilePlan);
  return {
    home,
    init: (command = "/r/recollect.cjs") => write(init(command)),
    uninstall: () => {
      const request = {
        ...init("/r/recollect.cjs"),
        scopes: ["user"],
        looksIn: ["user"],
        leavesProject: false,
      } as const;
      return planRemoval(request).map(applyFilePlan);
    },
  };
}

/** As an editor adds a key, first or last. */
function withOwnKey(text: string, isFirst: boolean): string {
  const [, mark = "", plain = ""] = /^(\ufeff?)([\s\S]*)$/.exec(text) ?? [];
  const place = isFirst ? { getInsertionIndex: () => 0 } : {};
  return mark + applyEdits(plain, modify(plain, ["zz_mine"], 1, { formattingOptions: {}, ...place }));
}

const cases: readonly [ClientName, readonly string[]][] = [
  ["claude-code", [".claude.json", ".claude/settings.json"]],
  ["gemini-cli", [".gemini/settings.json"]],
  ["opencode", [".config/opencode/opencode.json"]],
  ["cursor", [".cursor/mcp.json", ".cursor/hooks.json"]],
];

describe("USE-9 what init writes into any file of a user", () => {
  it.each(cases)("USE-9 is given back byte for byte by uninstall, also after an update: %s", (name, files) => {
    const texts = fc.tuple(...files.map(() => fc.option(jsoncTexts)));
    fc.assert(
      fc.property(texts, (all) => {
        const given = files.flatMap((file, index) => (all[index] == null ? [] : [[file, all[index]] as const]));
        const user = homeOf(name, Object.fromEntries(given));
        const before = documentsOf(user.home);
        user.init();
        const once = documentsOf(user.home);
        expect(once).not.toEqual(before);
        user.init();
        expect(documentsOf(user.home)).toEqual(once);
        user.init("/newer/recollect.cjs");
        expect(documentsOf(user.home)).not.toEqual(once);
        user.uninstall();
        expect(documentsOf(user.home)).toEqual(before);
        rmSync(user.home, { recursive: true });
      }),
      { numRuns: someRuns(15, 200) },
    );
  });

  it("USE-9 alone is taken out of TOML that was changed since", () => {
    const trust = '[projects."/p"]\ntrust_level = "trusted"\n';
    fc.assert(
      fc.property(tomlTexts, (text) => {
        const user = homeOf("codex", { ".codex/config.toml": text });
        const path = join(user.home, ".codex/config.toml");
        user.init();
        // As Codex itself does when its user answers.
        const written = readFileSync(path, "utf8");
        writeFileSync(path, `${written}${written.endsWith("\n") ? "" : "\n"}\n${trust}`);
        user.uninstall();
        const left = readFileSync(path, "utf8");
        expect(left.trimEnd()).toBe(
          `${text.trimEnd()}${left.slice(text.trimEnd().length, -trust.length)}${trust.trimEnd()}`,
        );
        expect(left.slice(text.trimEnd().length, -trust.length).trim()).toBe("");
        rmSync(user.home, { recursive: true });
      }),
      { numRuns: someRuns(15, 200) },
    );
  });

  it("USE-9 is given back byte for byte by uninstall in TOML", () => {
    fc.assert(
      fc.property(tomlTexts, (text) => {
        const user = homeOf("codex", { ".codex/config.toml": text });
        const before = documentsOf(user.home);
        user.init();
        user.init("/newer/recollect.cjs");
        user.uninstall();
        expect(documentsOf(user.home)).toEqual(before);
        rmSync(user.home, { recursive: true });
      }),
      { numRuns: someRuns(15, 200) },
    );
  });

  it.each(cases)("USE-9 alone is taken out of a file that was changed since: %s", (name, files) => {
    const [file = ""] = files;
    const words = (text: string) => text.match(/\/\/ at the top|\/\* , \} \*\/|\/\/ "recollect": \{\} ,/g) ?? [];
    fc.assert(
      fc.property(jsoncTexts, fc.boolean(), (text, isFirst) => {
        const user = homeOf(name, { [file]: text });
        const path = join(user.home, file);
        user.init();
        writeFileSync(path, withOwnKey(readFileSync(path, "utf8"), isFirst));
        user.uninstall();
        const left = readFileSync(path, "utf8");
        const values = (each: string) => parse(each.replace("\ufeff", ""), [], { allowTrailingComma: true });
        expect(values(left)).toEqual({ ...values(text), zz_mine: 1 });
        expect(words(left)).toEqual(words(text));
        rmSync(user.home, { recursive: true });
      }),
      { numRuns: someRuns(15, 200) },
    );
  });
});
