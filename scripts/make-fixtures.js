// Writes test/fixtures/COMMIT/: the program as it was built at that commit, and a folder of memory that it wrote.
// Run once for each format that users may have on disk: node scripts/make-fixtures.js CHECKOUT COMMIT, where CHECKOUT is
// built at COMMIT. Later builds are tested against both (test/fixtures/*.test.ts), so what is there is never made anew.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const [from, commit] = process.argv.slice(2);
if (!from || !commit) throw new Error("usage: node scripts/make-fixtures.js CHECKOUT COMMIT");
const checkout = resolve(from);
const place = fileURLToPath(new URL(`../test/fixtures/${commit}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "recollect-fixtures-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
mkdirSync(place, { recursive: true });

packProgram();
writeWorld(join(folder, "world"));
pack(join(folder, "world"), "world");

/** The program without its tokenizer and its larger models, which are most of its bytes and write nothing. */
function packProgram() {
  const program = join(folder, "program");
  for (const path of ["bin", "dist/bin", "package.json"])
    cpSync(join(checkout, path), join(program, path), { recursive: true });
  const bundle = join(program, "dist/bin");
  const left = readdirSync(bundle).filter((name) => /^(token-encoding|model-worker)/.test(name));
  for (const name of left) rmSync(join(bundle, name));
  pack(program, "program");
}

function pack(source, name) {
  const tar = execFileSync("tar", ["--sort=name", "-c", "-C", source, "."], { maxBuffer: 2 ** 28 });
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: tar.length };
  const file = join(place, `${name}.tar.br`);
  writeFileSync(file, brotliCompressSync(tar, { params }));
  console.log(file, statSync(file).size);
}

/** A project, a bank, agents, and two clones of a team's topics: `test/fixtures/fixtures.ts` says what is where. */
function writeWorld(world) {
  const project = join(world, "work/app");
  const home = join(world, "home");
  const git = (cwd, ...args) =>
    execFileSync("git", args, { cwd, env: { ...process.env, HOME: home }, encoding: "utf8" });

  function run(args, { input = "", agent = "ada", path = process.env.PATH, codes = [0] } = {}) {
    const env = { HOME: home, PATH: path, RECOLLECT_AGENT_ID: agent };
    const bin = join(checkout, "bin/recollect.cjs");
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: project, env, input });
    if (!codes.includes(status)) throw new Error(`recollect ${args.join(" ")}: ${status}\n${stdout}\n${stderr}`);
  }
  const write = (name, text, options) => run(["memories", "write", name], { input: text, ...options });

  mkdirSync(home, { recursive: true });
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");

  // Memories: several authors, a rename with references, a deletion, an edit by hand, names of other scripts.
  write("build", "# Build\n\nRun make.\n");
  write("build", "# Build\n\nRun npm test before each commit.\n", { agent: "bob" });
  write("auth/login", "# Login\n\nSessions last an hour. See mem:build.\n");
  write("auth/keys", "# Keys\n\nThe zebrafish key rotates weekly.\n", { agent: "bob" });
  run(["memories", "rename", "build", "build/overview"]);
  write("draft", "Not for long.\n");
  run(["memories", "delete", "draft"], { agent: "bob" });
  write("日本語/é", "ünïcödé 🎉\n");
  run(["log"]);
  writeFileSync(join(project, ".serena/memories/by-hand.md"), "Written by an editor.\n");
  run(["log"]);
  writeFileSync(join(project, ".serena/memories/by-hand.md"), "Written by an editor, twice.\n");

  // Topics, more than a file keeps, so that some are in the archive.
  for (let at = 0; at < 13; at += 1) {
    const fields = [
      "--context",
      "c",
      "--problem",
      `problem ${at}`,
      "--solution",
      `solution ${at}`,
      "--date",
      "2026-01-01",
    ];
    run(["topics", "store", "build", "cache", "--title", `Entry ${at}`, ...fields]);
  }
  run([
    "topics",
    "store",
    "api",
    "limits",
    "--title",
    "Quota",
    "--problem",
    "429",
    "--solution",
    "wait",
    "--date",
    "2026-01-02",
  ]);

  const bank = ["--memory-path", join(world, "bank")];
  run(["bank", "write", "foundation/stack.md", ...bank], { input: "TypeScript.\n" });
  run(["bank", "write", "foundation/stack.md", ...bank], { input: "TypeScript on Node.\n", agent: "bob" });
  run(["bank", "task", "PROJ-12", "plan", ...bank]);
  run(["agent", "write", "notes/todo.md", "--agent-id", "reviewer"], { input: "Look at the locks.\n" });
  run(["agent", "append", "log.md", "--agent-id", "reviewer"], { input: "began\n" });
  run(["agent", "append", "log.md", "--agent-id", "reviewer"], { input: "ended\n" });
  run(["log", ...bank]);

  // Two clones of a team's topics that changed the same entry; the second has synced, and its conflict is open.
  const team = (name) => [
    ...["--external-memory", "true", "--external-memory-type", "git_repo", "--sync-strategy", "manual"],
    ...["--external-memory-path", join(world, name)],
  ];
  git(world, "init", "-q", "--bare", "-b", "main", "team.git");
  for (const name of ["clone-one", "clone-other"]) git(world, "clone", "-q", "team.git", name);
  const entry = ["--title", "Shared", "--context", "c", "--problem", "p", "--solution", "s", "--date", "2026-01-03"];
  run(["topics", "store", "team", "notes", ...entry, ...team("clone-one")]);
  for (const name of ["clone-one", "clone-other"]) run(["sync", ...team(name)]);
  for (const [name, word] of [
    ["clone-one", "ours"],
    ["clone-other", "theirs"],
  ]) {
    const file = join(world, name, "team/notes.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("**Solution:** s", `**Solution:** ${word}`));
  }
  run(["sync", ...team("clone-one")]);
  run(["sync", ...team("clone-other")], { codes: [4] });

  // Last, and without git: revisions that are kept until history has them.
  const path = join(world, "nothing");
  write("build/overview", "# Build\n\nRun npm run check before each commit.\n", { path });
  write("build/overview", "# Build\n\nRun npm run all before each commit.\n", { path, agent: "bob" });
  run(["memories", "delete", "auth/keys"], { path });
  run(["memories", "append", "auth/login"], { input: "Nobody stays longer.\n", path, agent: "bob" });

  // What is made anew on each machine.
  rmSync(join(home, ".cache"), { recursive: true, force: true });
}
