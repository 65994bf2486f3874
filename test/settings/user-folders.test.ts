import { expect, it } from "vitest";
import { defaultDataFolder } from "../../src/settings/default-folders.ts";
import { userDataFolder, userSettingsFile } from "../../src/settings/user-folders.ts";

const linux = "linux" as const;
const win32 = "win32" as const;
const darwin = "darwin" as const;

it.each([
  [linux, "/home/ann", {}, "/home/ann/.config/recollect/config.yaml"],
  [linux, "/home/ann", { XDG_CONFIG_HOME: "/conf" }, "/conf/recollect/config.yaml"],
  [linux, "/home/ann", { XDG_CONFIG_HOME: "" }, "/home/ann/.config/recollect/config.yaml"],
  [linux, "/home/ann", { XDG_CONFIG_HOME: "relative" }, "/home/ann/.config/recollect/config.yaml"],
  [darwin, "/Users/ann", { XDG_CONFIG_HOME: "/conf" }, "/Users/ann/Library/Application Support/recollect/config.yaml"],
  [win32, "C:\\Users\\ann", { APPDATA: "D:\\Roaming" }, "D:\\Roaming\\recollect\\config.yaml"],
  [win32, "C:\\Users\\ann", {}, "C:\\Users\\ann\\AppData\\Roaming\\recollect\\config.yaml"],
])("CFG-1 the user's settings on %s of %s with %j lie in %s", (platform, home, env, file) => {
  expect(userSettingsFile({ platform, home, env })).toBe(file);
});

it.each([
  [linux, "/home/ann", {}, "/home/ann/.local/share/recollect"],
  [linux, "/home/ann", { XDG_DATA_HOME: "/data" }, "/data/recollect"],
  [linux, "/home/ann", { XDG_DATA_HOME: "data" }, "/home/ann/.local/share/recollect"],
  [darwin, "/Users/ann", {}, "/Users/ann/Library/Application Support/recollect"],
  [win32, "C:\\Users\\ann", { LOCALAPPDATA: "D:\\Local" }, "D:\\Local\\recollect"],
  [win32, "C:\\Users\\ann", {}, "C:\\Users\\ann\\AppData\\Local\\recollect"],
])("CFG-1 the user's data on %s of %s with %j lie in %s", (platform, home, env, folder) => {
  expect(userDataFolder({ platform, home, env })).toBe(folder);
});

it.runIf(process.platform === linux)("CFG-1 the default data folder is that of this system", () => {
  expect(defaultDataFolder({ XDG_DATA_HOME: "/data" })).toBe("/data/recollect");
});
