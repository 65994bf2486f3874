import { Command } from "commander";
import { type SettingKey, type SettingOrigin, settingKeys, shownValue, userSettingsFile } from "../app.ts";
import { type Io, print, printable } from "./output.ts";
import { type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

const examples = `
Examples:
  $ recollect config show
  $ recollect config show --json --project ~/shop`;

/** `recollect config show`: every setting, its value, and who said so. */
export function configCommand(io: Io): Command {
  const config = new Command("config").description("settings, and where they come from");
  const show = withWorkspaceOptions(config.command("show").description("show every setting with its source"))
    .option("--json", "answer with one JSON object")
    .action((options: WorkspaceOptions) =>
      withWorkspace(io, options, async ({ project, settings: { values, origins, untrusted } }) => {
        const rows = settingKeys.map((key) => ({
          key,
          value: shown(shownValue(key, values[key])),
          from: fromOf(origins[key]),
        }));
        const width = (column: "key" | "value") => Math.min(Math.max(...rows.map((row) => row[column].length)), 48);
        const lines = rows.map(
          ({ key, value, from }) => `${key.padEnd(width("key"))}  ${value.padEnd(width("value"))}  ${from}`,
        );
        const head = `Project: ${project?.folder ?? "none found here"}`;
        const foot = `Your own settings file: ${userSettingsFile(io.place ?? {})}`;
        print(io, options.json === true, [head, "", ...lines, "", foot].map(printable).join("\n"), {
          project: project?.folder,
          settings: Object.fromEntries(
            settingKeys.map((key: SettingKey) => [key, { value: shownValue(key, values[key]), ...origins[key] }]),
          ),
          untrusted,
        });
      }),
    );
  for (const command of [config, show]) command.addHelpText("after", examples);
  return config;
}

function shown(value: unknown): string {
  if (value === undefined) return "–";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(shown).join(", ");
  if (typeof value === "object" && value !== null && "given" in value) {
    const isReadOnly = "readOnly" in value && value.readOnly === true;
    return `${String(value.given)}${isReadOnly ? ":ro" : ""}`;
  }
  return String(value);
}

/** Who gave a setting its value, in words. */
export function fromOf({ source, name, line }: SettingOrigin): string {
  if (source === "default") return name === undefined ? "default" : `default, by ${name}`;
  return `${source}${name === undefined ? "" : ` ${name}${line === undefined ? "" : `:${line}`}`}`;
}
