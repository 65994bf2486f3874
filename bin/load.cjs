"use strict";
// Loads the bundle, with a cache of compiled code. Node's own cache keeps what is compiled while a file is loaded, but
// most functions are compiled when they are first called, and that would be done anew in each process: a fifth of a
// start. Here the cache is made of what a process has called by its end, so it gets better in the first few of them.

const fs = require("node:fs");
const nodeModule = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const vm = require("node:vm");
const { crc32 } = require("node:zlib");

/** So often the cache of a file is made anew, where it then holds so much more than before. */
const mostGenerations = 5;
const worthwhileGrowth = 1.05;
/** Some are killed in the end. Of the first moment on it has what a start needs, and later what is usually asked for. */
const learnAfterMs = [1000, 60_000];
/** Before the code: the checksums of source and code, and the generation. */
const headerBytes = 12;
const forgottenMs = 30 * 24 * 3_600_000;

const bundle = path.join(__dirname, "..", "dist", "bin");
const requireOther = nodeModule.createRequire(path.join(bundle, "index.js"));
const modules = new Map();
const learning = [];
let cache;

/** What a part of the bundle exports. */
function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const file = path.join(bundle, `${name}.cjs`);
  const source = fs.readFileSync(file);
  const script = compile(name, file, source);
  const made = { exports: {} };
  const url = pathToFileURL(path.join(bundle, `${name}.js`)).href;
  modules.set(name, made);
  try {
    script.runInThisContext()(made.exports, requirePart, made, importPart, url);
  } catch (error) {
    // Whoever comes next is told the same, and not given half of it.
    modules.delete(name);
    throw error;
  }
  return made.exports;
}

function requirePart(id) {
  const part = /^\.\/(.+)\.js$/.exec(id)?.[1];
  return part === undefined ? requireOther(id) : load(part);
}

async function importPart(id) {
  return requirePart(id);
}

function compile(name, file, source) {
  const wrapped = `(function(exports,require,module,__import,__url){${source}\n})`;
  const sourceSum = crc32(source);
  const kept = readKept(name, sourceSum);
  const script = new vm.Script(wrapped, {
    filename: file,
    cachedData: kept?.code,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const isKept = kept !== undefined && !script.cachedDataRejected;
  const generation = isKept ? kept.generation : 0;
  if (generation < mostGenerations) {
    learning.push({ name, script, sourceSum, generation, size: isKept ? kept.code.length : 0 });
  }
  return script;
}

/** Undefined where it is of another source, or not as it was written: the engine would believe it. */
function readKept(name, sourceSum) {
  if (cache === undefined) return undefined;
  try {
    const bytes = fs.readFileSync(path.join(cache, name));
    const code = bytes.subarray(headerBytes);
    if (bytes.length <= headerBytes || bytes.readUInt32LE(0) !== sourceSum) return undefined;
    return bytes.readUInt32LE(4) === crc32(code) ? { code, generation: bytes.readUInt32LE(8) } : undefined;
  } catch {
    return undefined;
  }
}

function learn() {
  if (cache === undefined) return;
  for (const one of learning) {
    if (one.generation >= mostGenerations) continue;
    try {
      const code = one.script.createCachedData();
      if (code.length <= one.size * worthwhileGrowth) continue;
      one.generation += 1;
      one.size = code.length;
      keep(one, code);
    } catch {
      // A start without it is only slower.
    }
  }
}

/** Put in place as a whole: others may be reading it, or writing the same. */
function keep({ name, sourceSum, generation }, code) {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(sourceSum, 0);
  header.writeUInt32LE(crc32(code), 4);
  header.writeUInt32LE(generation, 8);
  const draft = path.join(cache, `${name}.${process.pid}`);
  fs.writeFileSync(draft, Buffer.concat([header, code]), { mode: 0o600 });
  fs.renameSync(draft, path.join(cache, name));
  if (generation === 1) forgetOld(cache, [...modules.keys()]);
}

/** Compiled code is kept in a folder of the user's own: a shared one would run what others put there. */
function openCache() {
  const base = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || path.join(os.homedir(), ".cache");
  const all = path.join(base, "recollect", "compile-cache");
  const folder = path.join(all, `code-${process.version}-${process.arch}`);
  try {
    if (!fs.existsSync(folder)) {
      makeFolders(folder);
      forgetOld(all, []);
    }
    return isOwn(fs.lstatSync(folder)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Nobody else may write into it. Where the system has no users, it lies in the user's own place. */
function isOwn({ uid, mode }) {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** One by one: Node's own recursive way never returns on file systems that take no folders, such as /proc. */
function makeFolders(folder) {
  if (fs.existsSync(folder) || path.dirname(folder) === folder) return;
  makeFolders(path.dirname(folder));
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}

/** What other versions of Node, and of this program, left. */
function forgetOld(folder, names) {
  const oldest = Date.now() - forgottenMs;
  for (const name of fs.readdirSync(folder)) {
    const one = path.join(folder, name);
    if (!names.includes(name) && fs.lstatSync(one).mtimeMs < oldest) fs.rmSync(one, { recursive: true, force: true });
  }
}

/** A part of the bundle by its name, such as `recollect`, for a process that consists of it. */
exports.start = (name) => {
  cache = openCache();
  for (const ms of learnAfterMs) setTimeout(learn, ms).unref();
  process.once("exit", learn);
  return load(name);
};
