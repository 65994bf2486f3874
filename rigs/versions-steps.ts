import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "./random.ts";
import { createDisturbances } from "./versions-disturbances.ts";
import { createGate } from "./versions-gate.ts";
import { count, type StepsReport } from "./versions-report.ts";
import { ask, type Operation, type Request, type Surface, surfaces } from "./versions-surfaces.ts";
import { type Place, places, type VersionsWorld } from "./versions-world.ts";

export interface StepsOptions {
  readonly world: VersionsWorld;
  readonly random: Random;
  readonly steps: number;
  readonly report: StepsReport;
}

const writers = 3;
const names = ["a", "b", "c", "deep/d"];
/** One step in so many is no write. Steps go on until every kind came once. */
const disturbEvery = 15;
const longestRestMs = 200;
let texts = 0;

/** Several writers at once on all surfaces, beside editors, deletions, copies and kills. */
export async function takeSteps({ world, random, steps, report }: StepsOptions): Promise<void> {
  const gate = createGate();
  const disturbances = createDisturbances({ world, random, report, gate });
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const turns = [...disturbances];
  let [taken, isDisturbed] = [0, false];

  async function search(): Promise<void> {
    const { servers } = world;
    const { kind } = await pick([servers.callStdio, servers.callHttp])("search_memory", {
      query: "version person line",
    });
    count(report, kind === "answered" ? "search" : `search ${kind}`);
  }

  async function write(): Promise<void> {
    // A server that is asked must still record in time.
    if (random() < 0.15) return search();
    // A command takes as long as a hundred requests to a server.
    const surface = random() < 0.1 ? "cli" : pick(surfaces.filter((one) => one !== "cli"));
    const request = chooseRequest(surface);
    const file = await send(world, report, surface, request);
    if (file !== undefined && random() < 0.3) await edit(file);
    // As agents do, so that what is deleted is not always younger than the two seconds of a server.
    await delay(random() * longestRestMs);
  }

  function chooseRequest(surface: Surface): Request {
    const place = pick(places);
    texts += 1;
    const text = `Version ${texts} by ${surface}, ${Math.floor(random() * 2 ** 32)}.\n`;
    const operation = chooseOperation(place);
    const all = [...names, "e", "deep/f"];
    const name = pick(all);
    return { operation, place, name, text, to: pick(all.filter((other) => other !== name)) };
  }

  function chooseOperation(place: Place): Operation {
    const choice = place === "memories" ? random() : 0;
    if (choice < 0.55) return "write";
    if (choice < 0.7) return "append";
    return choice < 0.8 ? "edit" : choice < 0.9 ? "rename" : "delete";
  }

  async function edit(file: string): Promise<void> {
    if (random() < 0.5) await delay(random() * 400);
    saveInEditor(file, { report, isInPlace: random() < 0.5 });
  }

  async function disturb(): Promise<void> {
    const [kind, act] = turns.shift() ?? pick(disturbances);
    isDisturbed = true;
    try {
      await act();
      count(report, kind);
    } finally {
      isDisturbed = false;
    }
  }

  const work = async () => {
    while (taken < steps || turns.length > 0) {
      taken += 1;
      if (taken % disturbEvery === 0 && !isDisturbed) await disturb();
      else await gate.work(write);
    }
  };
  await Promise.all(Array.from({ length: writers }, work));
}

/** Sends one request, and notes what was acknowledged. Answers with the file that was written, if one was. */
export async function send(
  world: VersionsWorld,
  report: StepsReport,
  surface: Surface,
  request: Request,
): Promise<string | undefined> {
  const { operation, place, name, text, to } = request;
  const sent = Date.now();
  const outcome = await ask(world, surface, request);
  if (outcome.kind !== "answered") {
    count(report, outcome.kind === "refused" ? `${operation} refused` : "unanswered");
    if (process.env["RIG_TALKS"]) console.error(surface, operation, place, outcome.says);
    return undefined;
  }
  count(report, `${operation} by ${surface}`);
  if (operation === "delete") return undefined;
  const file = world.fileOf(place, operation === "rename" ? to : name);
  const rev = outcome.content["rev"];
  report.acknowledged.push({
    operation,
    surface,
    place,
    file,
    rev: typeof rev === "string" ? rev : undefined,
    text: text.trim(),
    sent,
    answered: Date.now(),
  });
  return file;
}

/** As an editor saves: by rename, or in place, which writes into every name of the file. */
export function saveInEditor(
  file: string,
  { report, isInPlace }: { readonly report: StepsReport; readonly isInPlace: boolean },
): void {
  if (!existsSync(file)) return;
  texts += 1;
  try {
    const text = `${readFileSync(file, "utf8")}\nA person's line ${texts}.\n`;
    if (isInPlace) {
      report.savedInPlace.add(file);
      writeFileSync(file, text);
    } else {
      writeFileSync(`${file}~`, text);
      renameSync(`${file}~`, file);
    }
    count(report, isInPlace ? "edited in place" : "edited by rename");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
