// Writes schema/recollect.schema.json, with which editors complete and check recollect.yaml and the user's
// config.yaml. It follows from the registry of settings; a test holds the committed file to it.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { TrustClass } from "../src/settings/setting.ts";
import { settingKeys, settingOf } from "../src/settings/settings.ts";

interface ObjectSchema {
  type: string | string[];
  additionalProperties: false;
  properties: Record<string, unknown>;
}

const effectInProject: Readonly<Record<TrustClass, string>> = {
  safe: "",
  outside: " In a project's file it has an effect outside of the project only after “recollect trust”.",
  user: " It has no effect in a project's file: set it in your own, by environment or by flag.",
};

export function settingsSchema(): unknown {
  const sections = new Map<string, ObjectSchema>();
  const top = objectSchema("object");
  for (const key of settingKeys) {
    const [name, below] = key.split(".") as [string, string | undefined];
    if (below === undefined) top.properties[name] = schemaOf(key);
    else sectionOf(name).properties[below] = schemaOf(key);
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Settings of Recollect",
    description: "recollect.yaml in a project, and config.yaml in your own configuration folder.",
    ...top,
  };

  function sectionOf(name: string): ObjectSchema {
    // A section whose lines are all commented out is nothing, and fine.
    const section = sections.get(name) ?? objectSchema(["object", "null"]);
    sections.set(name, section);
    top.properties[name] = section;
    return section;
  }
}

function objectSchema(type: string | string[]): ObjectSchema {
  return { type, additionalProperties: false, properties: {} };
}

function schemaOf(key: (typeof settingKeys)[number]): unknown {
  const { type, description, trust, default: value } = settingOf(key);
  const { $schema: _, ...schema } = z.toJSONSchema(type.schema, { target: "draft-7" });
  const known = value === undefined || typeof value === "function" ? {} : { default: value };
  return { description: description + effectInProject[trust], ...known, ...schema };
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const file = `${root}schema/recollect.schema.json`;
  mkdirSync(`${root}schema`, { recursive: true });
  writeFileSync(file, JSON.stringify(settingsSchema(), null, 2));
  execFileSync(`${root}node_modules/.bin/biome`, ["format", "--write", file], { cwd: root, stdio: "ignore" });
  console.log("schema/recollect.schema.json is up to date.");
}
