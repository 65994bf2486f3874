import type { Source } from "../core/source.ts";
import type { DocumentKind } from "./unit.ts";
import { type Section, splitDocument } from "./units/split-document.ts";

/** A text as it may be indexed and shown. */
interface Inspected {
  readonly text: string;
  /** The guard found something, which is masked in the text. */
  readonly flagged: boolean;
}

export type Inspect = (text: string) => Inspected;

/** A document as it may be shown, in its parts. */
export interface ShownDocument {
  readonly text: string;
  readonly sections: readonly Section[];
}

interface DocumentRequest {
  readonly source: Source;
  readonly kind: DocumentKind;
  readonly path: string;
  /** Under which stamp the index has it: the same one means the same bytes. */
  readonly stamp: number | undefined;
}

export interface ShownDocuments {
  /** Undefined where there is no such document any more. */
  read(request: DocumentRequest): Promise<ShownDocument | undefined>;
}

interface Kept extends ShownDocument {
  readonly stamp: number;
}

/** Notes that were shown once are shown again: reading and looking through each took most of a search's time. */
export function createShownDocuments(inspect: Inspect, mostCharacters = 8 * 1024 * 1024): ShownDocuments {
  const kept = new Map<Source, Map<string, Kept>>();
  let characters = 0;

  function keep(source: Source, path: string, document: Kept): void {
    if (characters + document.text.length > mostCharacters) {
      kept.clear();
      characters = 0;
    }
    const ofSource = kept.get(source) ?? new Map<string, Kept>();
    kept.set(source, ofSource.set(path, document));
    characters += document.text.length;
  }

  async function read({ source, kind, path, stamp }: DocumentRequest): Promise<ShownDocument | undefined> {
    const known = kept.get(source)?.get(path);
    if (known && known.stamp === stamp) return known;
    const document = await source.read(path);
    if (!document) return undefined;
    const { text } = inspect(document.content);
    const shown = { text, sections: splitDocument({ path, kind, content: text }), stamp: document.stamp };
    // One without a stamp was changed so lately that it may have changed again.
    if (document.stamp > 0 && document.stamp === stamp) keep(source, path, shown);
    return shown;
  }

  return { read };
}
