import type { PurgeForms } from "../../../kernel/purge-forms.ts";
import type { Rev } from "../../../kernel/revision.ts";

/** Takes a value out of what history and journals say, names and revisions of what it stood in among it. */
export interface RecordCleaner {
  /** A revision as it is called now that its bytes are others. */
  rev<Given extends string | undefined>(rev: Given): Given;
  learn(before: string, now: string): void;
  /** A record as JSON, without its link. */
  record(text: string): string;
  /** Any value of JSON, keys among it. */
  json(value: unknown): unknown;
}

const paths = new Set(["name", "path", "other", "from"]);
const revs = new Set(["rev", "was"]);

export function createRecordCleaner(forms: PurgeForms): RecordCleaner {
  const known = new Map<string, string>();

  function rev<Given extends string | undefined>(given: Given): Given {
    return (given === undefined ? given : (known.get(given) ?? given)) as Given;
  }

  function json(value: unknown, key = ""): unknown {
    if (typeof value === "string") {
      if (revs.has(key)) return rev(value as Rev);
      return paths.has(key) ? forms.cleanPath(value) : forms.cleanText(value);
    }
    if (Array.isArray(value)) return value.map((one) => json(one));
    if (typeof value !== "object" || value === null) return value;
    // Folders are keys, too.
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [forms.cleanPath(name), json(one, name)]));
  }

  return {
    rev,
    learn: (before, now) => void known.set(before, now),
    json: (value) => json(value),
    record: (text) => {
      try {
        return JSON.stringify(json(JSON.parse(text)));
      } catch (error) {
        // No JSON, so none of ours; but what it holds must go.
        if (error instanceof SyntaxError) return forms.cleanText(text);
        throw error;
      }
    },
  };
}
