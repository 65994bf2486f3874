import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { type ResolvedSettings, type ResolveOptions, resolveSettings } from "../../src/settings/resolve-settings.ts";
import { openTrust, type Trust } from "../../src/settings/trust.ts";

/** A user with a home, a project and files of settings, all of them real. */
export interface SettingsHome {
  readonly home: string;
  readonly project: string;
  readonly data: string;
  readonly trust: Trust;
  writeProject(content: string | Uint8Array): string;
  writeUser(content: string): string;
  resolve(options?: Partial<ResolveOptions>): Promise<ResolvedSettings>;
}

export function settingsHome(folder: string): SettingsHome {
  const [home, project, data] = [join(folder, "home"), join(folder, "work", "app"), join(folder, "data")];
  mkdirSync(home);
  mkdirSync(project, { recursive: true });
  const trust = openTrust({ folder: data });
  const write = (file: string, content: string | Uint8Array) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  return {
    home,
    project,
    data,
    trust,
    writeProject: (content) => write(join(project, "recollect.yaml"), content),
    writeUser: (content) => write(join(home, ".config", "recollect", "config.yaml"), content),
    resolve: (options = {}) =>
      resolveSettings({ project, cwd: project, env: {}, home, platform: "linux", trust, ...options }),
  };
}

/** The nested form of one setting, as a file holds it. */
export function yamlOf(key: string, raw: unknown): string {
  return stringify(key.split(".").reduceRight((value: unknown, name) => ({ [name]: value }), raw));
}
