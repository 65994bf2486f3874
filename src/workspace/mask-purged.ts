import { hideLines } from "../guard/mask.ts";
import { type PurgedForm, purgedPlaces } from "../history/purged-form.ts";

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
