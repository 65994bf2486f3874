import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** The dashboard's own files. They hold nothing of any memory, so that nobody has to say who they are to get them. */
export interface DashboardFiles {
  /** Undefined where there is no such file. */
  answer(request: Request): Response | undefined;
}

interface Prepared {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
};

/** Beside the bundle of the command line, or where a build put it, for who runs the sources. */
const places = ["../dashboard/", "../../dist/dashboard/"].map((place) =>
  fileURLToPath(new URL(place, import.meta.url)),
);

/** All of them are read once: a name in a request is looked up, and never becomes a path. */
export function loadDashboardFiles(folders: readonly string[] = places): DashboardFiles {
  const files = folders.map(filesIn).find((found) => found.has("/index.html")) ?? new Map<string, Prepared>();
  return {
    answer: (request) => {
      const { pathname } = new URL(request.url);
      const file = files.get(pathname === "/" ? "/index.html" : pathname);
      if (!file) return undefined;
      const common = { etag: file.etag, "cache-control": "no-cache", vary: "accept-encoding" };
      if (request.headers.get("if-none-match") === file.etag)
        return new Response(null, { status: 304, headers: common });
      const takesGzip = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
      const body = takesGzip ? file.gzipped : file.bytes;
      const headers = {
        ...common,
        "content-type": file.type,
        "content-length": String(body.length),
        ...(takesGzip ? { "content-encoding": "gzip" } : {}),
      };
      return new Response(request.method === "HEAD" ? null : body, { headers });
    },
  };
}

function filesIn(folder: string): Map<string, Prepared> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return new Map(
      entries.flatMap((entry) => {
        const path = join(entry.parentPath, entry.name);
        const type = types[extname(entry.name)];
        if (!entry.isFile() || type === undefined) return [];
        return [[`/${relative(folder, path).split(sep).join("/")}`, prepare(path, type)]];
      }),
    );
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw error;
  }
}

function prepare(path: string, type: string): Prepared {
  const bytes = new Uint8Array(readFileSync(path));
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return { bytes, gzipped: new Uint8Array(gzipSync(bytes, { level: 9 })), etag, type };
}
