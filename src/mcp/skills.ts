import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { McpServer } from "@modelcontextprotocol/server";
import { packageFolder } from "../app.ts";

const scheme = "skill://";
/** They come with the package and change only with it. */
const ttlMs = 60 * 60 * 1000;

/**
 * Serves the package's skills by the skills extension of the protocol (SEP-2640, USE-11). The files are read when a
 * client first asks for them: most clients never do, and a start must stay short.
 */
export async function registerSkills(server: McpServer): Promise<void> {
  const { SkillsExtension } = await import("@modelcontextprotocol/server/ext/skills");
  const folder = join(packageFolder(), "skills");
  let loaded: ReturnType<typeof load> | undefined;
  const entries = async () => {
    loaded ??= load(folder);
    return (await loaded).entries;
  };
  const extension = new SkillsExtension({
    cacheHint: { ttlMs, cacheScope: "public" },
    source: {
      list: async () => ({ skills: [...(await entries())] }),
      get: async (uri) => (await entries()).find((entry) => entry.uri === uri),
      read: async (uri) => {
        const isServed = (await entries()).some(({ resources }) => hasFile(resources, uri));
        if (!isServed) return undefined;
        return { text: await readFile(join(folder, uri.slice(scheme.length)), "utf8"), mimeType: "text/markdown" };
      },
    },
  });
  extension.attach(server);
}

async function load(folder: string) {
  const { loadSkills } = await import("@modelcontextprotocol/server/ext/skills/node");
  return loadSkills(folder, { strict: true });
}

function hasFile(resources: "dynamic" | readonly { readonly uri: string }[], uri: string): boolean {
  return resources !== "dynamic" && resources.some((file) => file.uri === uri);
}
