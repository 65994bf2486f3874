import { editDistance } from "../kernel/edit-distance.ts";
import { RecollectError } from "../kernel/errors.ts";
import { nearestName } from "./nearest-name.ts";
import { refusalOf } from "./refuse-setting.ts";
import { type SettingFlagName, type SettingKey, settingKeys, settingOf } from "./settings.ts";
import { withdrawnSetting, withdrawnVariables } from "./withdrawn-settings.ts";

/** What the command line read: the text of a flag, all texts of a repeated one, or that a switch was given. */
export type SettingFlags = { readonly [Name in SettingFlagName]?: string | boolean | readonly string[] };

export interface NamedSetting {
  readonly raw: unknown;
  /** The variable or the flags that said so. */
  readonly name: string;
}

/** Settings from the environment. A variable that is set to nothing counts as not set, as containers leave them. */
export function settingsFromEnvironment(env: NodeJS.ProcessEnv): ReadonlyMap<SettingKey, NamedSetting> {
  const isSet = (name: string) => (env[name] ?? "").trim() !== "";
  for (const name of withdrawnVariables.filter(isSet)) {
    throw new RecollectError("INVALID_ARGUMENT", `${withdrawnSetting("env", name)}.`, { data: { name } });
  }
  const found = new Map<SettingKey, NamedSetting>();
  for (const key of settingKeys) {
    const { env: name, type } = settingOf(key);
    const text = env[name];
    if (text !== undefined && isSet(name)) found.set(key, checked(key, name, type.fromText(text)));
  }
  return found;
}

export function settingsFromFlags(flags: SettingFlags): ReadonlyMap<SettingKey, NamedSetting> {
  const found = new Map<SettingKey, NamedSetting>();
  for (const key of settingKeys) {
    const { flags: known, type } = settingOf(key);
    const used = known.filter(({ name }) => flagValue(flags, name) !== undefined);
    if (used.length === 0) continue;
    const raws = used.flatMap(({ name, oneElement }) => {
      const texts = [flagValue(flags, name)].flat();
      return texts.map((text) => (typeof text === "string" && !oneElement ? type.fromText(text) : text));
    });
    checkEach(key, used[0]?.name ?? "", raws);
    const name = used.map((flag) => flag.name).join(", ");
    found.set(key, checked(key, name, type.isList ? raws.flat() : raws.at(-1)));
  }
  return found;
}

/** Variables that look like a misspelt one of ours. Others may begin with RECOLLECT_ for reasons of their own. */
export function misspeltVariables(env: NodeJS.ProcessEnv): string[] {
  const known = settingKeys.map((key) => settingOf(key).env as string);
  return Object.keys(env)
    .filter((name) => name.startsWith("RECOLLECT_") && !known.includes(name))
    .flatMap((name) => {
      const nearest = nearestName(name, known) ?? "";
      return editDistance(name, nearest) > 2 ? [] : [`The variable ${name} is not read; did you mean ${nearest}?`];
    });
}

function flagValue(flags: SettingFlags, name: string): string | boolean | readonly string[] | undefined {
  return (flags as Readonly<Record<string, string | boolean | readonly string[] | undefined>>)[name];
}

/** A switch without a value makes no list: `--tools` alone is a mistake, not the list [true]. */
function checkEach(key: SettingKey, name: string, raws: readonly unknown[]): void {
  if (settingOf(key).type.isList && raws.some((raw) => typeof raw === "boolean")) checked(key, name, raws[0]);
}

function checked(key: SettingKey, name: string, raw: unknown): NamedSetting {
  const refusal = refusalOf(settingOf(key), raw);
  if (!refusal) return { raw, name };
  throw new RecollectError("INVALID_ARGUMENT", `${name}: ${refusal.says}.`, { data: { key, name } });
}
