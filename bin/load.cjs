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
/** Of the engine and its flags, when code was first kept: before a server sets any. */
let tagOfStart;

/** What a part of the bundle exports. */
function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const file = path.join(bundle, `${name}.cjs`);
  const source = readPart(file);
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

/** Not told as the system tells it: whoever reads a document takes that for a document that is not there. */
function readPart(file) {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    const gone = new Error(
      `A part of recollect is gone: ${file}. Where another version took its place, start it anew.`,
    );
    gone.code = "ERR_MODULE_NOT_FOUND";
    throw gone;
  }
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
  const makeScript = () =>
    new vm.Script(wrapped, {
      filename: file,
      cachedData: kept?.code,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
  const script = tagOfStart === undefined ? makeScript() : underFlagsOfStart(makeScript);
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
  if (cache !== undefined) underFlagsOfStart(() => learning.forEach(learnOne));
}

/**
 * The engine takes no code that was made under other flags, and a server sets one when it has started: neither would it
 * take what is kept from then on, nor would another start take what it keeps.
 */
function underFlagsOfStart(work) {
  const v8 = require("node:v8");
  tagOfStart ??= v8.cachedDataVersionTag();
  if (v8.cachedDataVersionTag() === tagOfStart) return work();
  // Of src/cli/small-young-space.ts.
  v8.setFlagsFromString("--semi-space-growth-factor=2");
  try {
    return work();
  } finally {
    v8.setFlagsFromString("--semi-space-growth-factor=1");
  }
}

function learnOne(one) {
  if (one.generation >= mostGenerations) return;
  try {
    const code = one.script.createCachedData();
    if (code.length <= one.size * worthwhileGrowth) return;
    one.generation += 1;
    one.size = code.length;
    keep(one, code);
  } catch {
    // A start without it is only slower.
  }
}

/** Put in place as a whole: others may be reading it, or writing the same. */
function keep({ name, sourceSum, generation }, code) {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(sourceSum, 0);
  header.writeUInt32LE(crc32(code), 4);
  header.writeUInt32LE(generation, 8);
  const draft = path.join(cache, `${name}.${process.pid}`);
  try {
    fs.writeFileSync(draft, Buffer.concat([header, code]), { mode: 0o600 });
    fs.renameSync(draft, path.join(cache, name));
  } catch (error) {
    // On a full disk each process would leave another one.
    fs.rmSync(draft, { force: true });
    throw error;
  }
  if (generation === 1) forgetOld(cache, (one) => modules.has(one));
}

/** Compiled code is kept in a folder of the user's own: a shared one would run what others put there. */
function openCache() {
  try {
    const base = cacheHome();
    // It would be another folder in every working directory, and the compiled code that somebody's repository has there.
    if (!path.isAbsolute(base)) return undefined;
    const own = path.join(base, "recollect");
    const all = path.join(own, "compile-cache");
    const folder = path.join(all, `code-${process.version}-${process.arch}`);
    const isNew = !fs.existsSync(folder);
    if (isNew) makeFolders(folder);
    // Whoever may write into one above it could put another in its place after it was looked at. A link to the second
    // lies in the first, where nobody but the user could have put it.
    if (![fs.lstatSync(own), fs.statSync(all), fs.lstatSync(folder)].every(isOwn)) return undefined;
    if (isNew) forgetOld(all, (name) => !/^(code-)?v\d/.test(name));
    return folder;
  } catch {
    return undefined;
  }
}

function cacheHome() {
  const given = [process.env.XDG_CACHE_HOME, process.env.LOCALAPPDATA];
  return given.find((place) => place && path.isAbsolute(place)) ?? path.join(os.homedir(), ".cache");
}

/** Nobody else may write into it. Where the system has no users, it lies in the user's own place. */
function isOwn(found) {
  if (!found.isDirectory()) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
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
function forgetOld(folder, isNeeded) {
  const oldest = Date.now() - forgottenMs;
  for (const name of fs.readdirSync(folder)) {
    const one = path.join(folder, name);
    if (!isNeeded(name) && fs.lstatSync(one).mtimeMs < oldest) fs.rmSync(one, { recursive: true, force: true });
  }
}

/** A part of the bundle by its name, such as `recollect`, for a process that consists of it. */
exports.start = (name) => {
  cache = openCache();
  for (const ms of learnAfterMs) setTimeout(learn, ms).unref();
  process.once("exit", learn);
  return load(name);
};
