import type { FileSetting } from "./parse-settings.ts";
import type { SettingsFile } from "./read-settings-file.ts";
import { whyOutside } from "./real-path.ts";
import { shorten } from "./refuse-setting.ts";
import { type DefaultContext, projectMark } from "./setting.ts";
import type { ConfiguredPlace, PathBase } from "./setting-types.ts";
import { type SettingKey, settingOf, shownValue } from "./settings.ts";

/** A value in a project's file that has no effect, and what the user should know about it. */
export interface Untrusted {
  readonly key: SettingKey;
  /** As written; of a list the one element. */
  readonly value: unknown;
  readonly why: string;
  readonly line: number;
  /** Whether `recollect trust` would let it take effect. What belongs to the user never does. */
  readonly trustable: boolean;
}

export interface DistrustOptions {
  readonly file: SettingsFile;
  readonly base: PathBase;
  readonly context: DefaultContext;
  isTrusted(): boolean;
}

/** Parts what may take effect of a project's settings from what may not (CFG-2). */
export function distrustProject(options: DistrustOptions): {
  settings: ReadonlyMap<SettingKey, FileSetting>;
  untrusted: Untrusted[];
} {
  const settings = new Map<SettingKey, FileSetting>();
  const found: Untrusted[] = [];
  for (const [key, setting] of options.file.settings) {
    const refused = refusedParts(key, setting, options);
    found.push(...refused);
    const left = withoutParts(setting, refused);
    if (left) settings.set(key, left);
  }
  // Asked only where something depends on it, so that a damaged record of trust stops nobody else.
  const trusted = found.some((one) => one.trustable) && options.isTrusted();
  if (!trusted) return { settings, untrusted: found };
  const untrusted = found.filter((one) => !one.trustable);
  const forbidden = new Set(untrusted.map((one) => one.key));
  const effective = [...options.file.settings].filter(([key]) => !forbidden.has(key));
  return { settings: new Map(effective), untrusted };
}

function refusedParts(key: SettingKey, { raw, line }: FileSetting, { base, context }: DistrustOptions): Untrusted[] {
  const setting = settingOf(key);
  if (setting.trust === "safe") return [];
  if (setting.trust === "user")
    return [{ key, value: shownValue(key, raw), why: `it ${setting.why}`, line, trustable: false }];
  if (setting.type.holds === "plain") {
    const reaches = setting.reaches?.(raw, context) ?? true;
    return reaches ? [{ key, value: raw, why: `it ${setting.why}`, line, trustable: true }] : [];
  }
  // Where the name leads is not known here, and a clone can bring a link of any name.
  if (setting.namesProject && String(raw).includes(projectMark)) {
    return [{ key, value: raw, why: `it depends on the project's name (${projectMark})`, line, trustable: true }];
  }
  const places = [setting.type.toValue(raw, base)].flat() as ConfiguredPlace[];
  const written = [raw].flat();
  return places.flatMap(({ folder }, index) => {
    const why = folder === undefined ? "it names a space of the database" : whyOutside(base.folder, folder);
    return why === undefined ? [] : [{ key, value: written[index], why, line, trustable: true }];
  });
}

/** Undefined where nothing is left: a list without its refused elements stays, unless that was all of it. */
function withoutParts(setting: FileSetting, refused: readonly Untrusted[]): FileSetting | undefined {
  if (refused.length === 0) return setting;
  if (!Array.isArray(setting.raw)) return undefined;
  const values = new Set(refused.map((one) => one.value));
  if (values.has(setting.raw)) return undefined;
  const left = setting.raw.filter((element) => !values.has(element));
  return left.length === 0 ? undefined : { ...setting, raw: left };
}

/**
 * What a project's settings file asked for in vain, in words for the user (CFG-2). The value is cut: it is written by
 * whoever made the project, and a model reads it at connection.
 */
export function untrustedNotices(untrusted: readonly Untrusted[]): string[] {
  return untrusted.map(({ key, value, why, line, trustable }) => {
    const what = `recollect.yaml sets ${key} to ${shorten(String(value))} (line ${line})`;
    const remedy = trustable
      ? "Look at the file, then allow it with: recollect trust"
      : "Set it in your own settings file, the environment or a flag if you want it.";
    return `${what}, which has no effect, since ${why}. ${remedy}`;
  });
}
