import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { interleave } from "./interleave.ts";
import { repository } from "./library.ts";
import type { Row } from "./measurement.ts";
import { finish } from "./report.ts";
import { type Corpus, createCorpus } from "./search/corpus.ts";
import { makePlace, type Place } from "./search/place.ts";
import type { Summary } from "./statistics.ts";
import { printTable } from "./table.ts";
import { withWorkFolder } from "./work-folder.ts";

/** What a hook costs, as a client pays for it: from the start of its process to its end. */
const { values } = parseArgs({ options: { check: { type: "boolean" }, rounds: { type: "string", default: "25" } } });
const bin = join(repository, "bin", "recollect.cjs");
const collectingLimit = 4;
const answeringLimits: Readonly<Record<number, number>> = { 1000: 12, 10000: 16 };

const rows: Row[] = [];
for (const [size, limit] of Object.entries(answeringLimits)) {
  await withWorkFolder(async (folder) => {
    const corpus = createCorpus(Number(size));
    const place = await makePlace(
      folder,
      Array.from({ length: corpus.count }, (_, index) => corpus.note(index)),
    );
    rows.push(...(await measure(place, corpus, limit)));
  });
}
printTable(rows);
finish("hooks", rows, { check: values.check ?? false });

async function measure(place: Place, corpus: Corpus, limit: number): Promise<Row[]> {
  const [word = ""] = corpus.query(0);
  for (const args of [
    ["trust", "--yes"],
    ["search", word],
  ])
    run(place, args);
  let answered = 0;
  let asked = 0;
  const subjects = {
    node: () => void spawnSync(process.execPath, ["-e", "0"]),
    edit: () =>
      hook(place, { hook_event_name: "PostToolUse", tool_name: "Edit", tool_input: { file_path: "src/a.ts" } }),
    command: () =>
      hook(place, { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "npm test" } }),
    // The guard looks at it, since it is kept for the next session.
    first: (round: number) =>
      hook(place, { hook_event_name: "UserPromptSubmit", prompt: "Let us go on.", session_id: `s${round + 1}` }),
    prompt: (round: number) => {
      asked += 1;
      const { content } = corpus.note((round * 37) % corpus.count);
      const [title = "", , first = ""] = content.replace(/^# /, "").split("\n");
      const prompt = `How does ${title.toLowerCase()} go with ${first.split(". ")[0]}?`;
      const said = hook(place, { hook_event_name: "UserPromptSubmit", prompt, session_id: `s${round}` });
      if (said.includes("From Recollect")) answered += 1;
    },
    error: () =>
      hook(place, {
        hook_event_name: "PostToolUseFailure",
        tool_name: "Bash",
        tool_input: { command: "npm test" },
        error: "Exit code 1\nTypeError: Cannot read properties of undefined (reading 'shard')",
      }),
    start: () => hook(place, { hook_event_name: "SessionStart", source: "clear" }),
    stop: () => hook(place, { hook_event_name: "Stop", last_assistant_message: "The tests pass now." }),
  };
  const times = await interleave(subjects, { warmUp: 6, measured: Number(values.rounds) });
  // A prompt without an answer would be quick for the wrong reason.
  if (answered < asked / 2) throw new Error(`Only ${answered} of ${asked} prompts were answered.`);
  const { node } = times;
  const row = (what: string, { median, p90 }: Summary, most: number): Row => ({
    measurement: `${corpus.count.toLocaleString("en")} notes: ${what}`,
    unit: "ms",
    ours: median,
    p90,
    reference: { name: "node -e 0", value: node.median, p90: node.p90 },
    limit: most,
  });
  return [
    row("an edit is noted", times.edit, collectingLimit),
    row("a command that passed is noted", times.command, collectingLimit),
    row("the first prompt of a session", times.first, limit),
    row("another prompt is answered", times.prompt, limit),
    row("a failed command is looked up", times.error, limit),
    row("a session starts", times.start, limit),
    row("a turn ends", times.stop, limit),
  ];
}

function hook(place: Place, event: Readonly<Record<string, unknown>>): string {
  return run(place, ["hook", "claude-code"], JSON.stringify({ session_id: "s", cwd: place.project, ...event }));
}

function run({ project, env }: Place, args: readonly string[], input = ""): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: project,
    env: { ...env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ATTENDED: "1" },
    input,
    encoding: "utf8",
  });
  if (status !== 0 || (args[0] === "hook" && stderr !== "")) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout;
}
