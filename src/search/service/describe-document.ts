import { createGuard, type GuardOptions } from "../../guard/guard.ts";
import { hideLines, maskFindings } from "../../guard/mask.ts";
import { type PurgedForm, purgedPlaces } from "../../kernel/purged-form.ts";
import { folderOf } from "../find-changes.ts";
import type { Meaning } from "../meaning.ts";
import type { Describe } from "../prepare-batches.ts";
import { shownUnits } from "../shown-units.ts";
import type { DocumentKind } from "../unit.ts";
import { splitDocument } from "../units/split-document.ts";
import { unsettledStamp } from "../unsettled-stamp.ts";
import { createWeigher, type Weigher } from "../weigh-document.ts";

export interface DescriberOptions {
  readonly kind: DocumentKind;
  readonly meaning: Pick<Meaning, "ofUnits">;
  /** Told of the texts whose meaning is still to be computed. */
  readonly later: (path: string, texts: readonly string[]) => void;
}

/** For any number of roots, which share the guard and the memory for words. Leaves out whose name must not be shown. */
export function createDescribers(guard: InspectOptions): (options: DescriberOptions) => Describe {
  const inspect = createInspect(guard);
  const weigher = createWeigher();
  return (options) => createDescriber(options, inspect, weigher);
}

function createDescriber({ kind, meaning, later }: DescriberOptions, inspect: Inspect, weigher: Weigher): Describe {
  return (path, { content, stamp, modified }) => {
    if (inspect(path).flagged) return undefined;
    const { text, flagged } = inspect(content);
    const document = { path, kind, content: text };
    const sections = splitDocument(document);
    const weighed = weigher.weighSections(document, sections);
    const texts = weighed.map((unit) => unit.text);
    const vectors = meaning.ofUnits(texts);
    if (vectors === "later") later(path, texts);
    return {
      path,
      folder: folderOf(path),
      // Until its meaning is known it is looked at again, by whichever process.
      stamp: vectors === "later" ? unsettledStamp() : stamp,
      modified,
      kind,
      flagged,
      // Without their texts: an index is built of very many before they are written.
      units: weighed.map(({ date, terms }) => ({ date, terms })),
      shown: shownUnits(text, sections),
      ...(typeof vectors === "string" ? {} : { vectors }),
    };
  };
}

/** A text as it may be indexed and shown: what the guard finds is masked. */
type Inspect = (text: string) => { readonly text: string; readonly flagged: boolean };

export interface InspectOptions extends GuardOptions {
  /** What was purged, and must not come back whatever the policy is. */
  readonly purged: readonly PurgedForm[];
}

/** Files can come by hand or by a pull: what the guard finds in them is neither indexed nor shown (GUARD-1). */
function createInspect({ policy, allowed, purged }: InspectOptions): Inspect {
  const guard = createGuard({ policy: policy === "warn" ? "standard" : policy, allowed });
  return (text) => {
    const findings = guard.scan(text);
    const masked = maskFindings(text, findings, guard.scan);
    const shown = maskPurged(text, masked, purged);
    return { text: shown, flagged: findings.length > 0 || shown !== masked };
  };
}

interface Place {
  readonly from: number;
  readonly to: number;
}

const newline = 0x0a;

/** The masked text without the lines in which the original has a value that was purged. */
export function maskPurged(original: string, masked: string, purged: readonly PurgedForm[]): string {
  if (purged.length === 0) return masked;
  const bytes = Buffer.from(original);
  return hideLines(masked, linesOf(bytes, joined(purgedPlaces(purged, bytes))));
}

/** Overlapping ones as one, in the order of the text. */
function joined(places: readonly Place[]): Place[] {
  const apart: Place[] = [];
  for (const place of places.toSorted((one, other) => one.from - other.from)) {
    const last = apart.at(-1);
    if (last && place.from < last.to) apart[apart.length - 1] = { from: last.from, to: Math.max(last.to, place.to) };
    else apart.push(place);
  }
  return apart;
}

/** In one pass: there may be very many of them. */
function linesOf(bytes: Uint8Array, places: readonly Place[]): Place[] {
  let line = 0;
  let at = 0;
  const lineOf = (place: number): number => {
    for (; at < place; at += 1) if (bytes[at] === newline) line += 1;
    return line;
  };
  return places.map(({ from, to }) => ({ from: lineOf(from), to: lineOf(to - 1) + 1 }));
}
