import type { PurgeForms } from "../../../kernel/purge-forms.ts";
import { firstLink, goesOnFrom, linkOf, withLink, withoutLink } from "../../../kernel/record-chain.ts";
import type { DocumentChange } from "../../../kernel/root-history.ts";
import { type HistoryMark, type KeptLine, type Message, parseMessage, type RunEnd, toMessage } from "../message.ts";
import { subjectOf } from "../subject.ts";
import type { RecordCleaner } from "./clean-records.ts";

/** The links of one folder's records, as they were and as they are. */
interface Chain {
  last: string;
  readonly links: Map<string, string>;
}

export interface MessageCleaner {
  /** A commit's message without the value; the same where nothing in it is concerned. In the order of history. */
  clean(text: string, journals: (folder: string) => ReadonlySet<string>): string;
  /** Folders of which a record is not as it was. */
  readonly concerned: ReadonlySet<string>;
}

export function createMessageCleaner(forms: PurgeForms, records: RecordCleaner): MessageCleaner {
  const chains = new Map<string, Chain>();
  const dropped = new Map<string, readonly string[]>();
  const concerned = new Set<string>();

  /** The record with a link that goes on from the cleaned one before it. One whose chain is broken stays so. */
  function cleanLine({ folder, line, isVoid }: KeptLine, journals: ReadonlySet<string>): KeptLine {
    const chain: Chain = chains.get(folder) ?? { last: "", links: new Map() };
    chains.set(folder, chain);
    const text = records.record(withoutLink(line));
    const link = linkOf(line);
    const starts = ["", ...[...journals].map(firstLink), ...(dropped.get(folder) ?? [])];
    const start = link === undefined ? undefined : startOf(line, chain, starts);
    const cleaned = start === undefined ? withSameLink(text, link) : withLink(text, start);
    if (link !== undefined) {
      chain.links.set(link, linkOf(cleaned) ?? link);
      chain.last = link;
    }
    if (cleaned !== line) concerned.add(folder);
    return { folder: forms.cleanPath(folder), line: cleaned, isVoid };
  }

  function cleanChange({ path, rev, was, from, kind }: DocumentChange): DocumentChange {
    const cleaned = (given: typeof path) => forms.cleanPath(given) as typeof path;
    return {
      path: cleaned(path),
      kind,
      rev: records.rev(rev),
      was: records.rev(was),
      ...(from === undefined ? {} : { from: cleaned(from) }),
    };
  }

  /** What a commit says of history itself stays said; folders that have one name now share what they go on from. */
  function cleanMark({ purge, cut, lost, lostKnown, copied }: Message): HistoryMark {
    const cleaned = <Given>(given: Given) => records.json(given) as Given;
    const links: Record<string, string[]> = {};
    for (const [folder, given] of Object.entries(cut?.links ?? {})) {
      const name = forms.cleanPath(folder);
      links[name] = [...(links[name] ?? []), ...given];
    }
    return {
      purge: purge && cleaned(purge),
      cut: cut && { ...cut, links },
      lost,
      lostKnown: lostKnown && cleaned(lostKnown),
      copied,
    };
  }

  return {
    concerned,
    clean: (text, journals) => {
      const message = parseMessage(text);
      if (!message) return forms.cleanText(text);
      for (const [folder, links] of Object.entries(message.cut?.links ?? {})) dropped.set(folder, links);
      const lines = message.lines.map((one) => cleanLine(one, journals(one.folder)));
      const changes = message.changes.map(cleanChange);
      const { sighting, reason } = message;
      const end = message.end && (records.json(message.end) as RunEnd);
      const isSame =
        JSON.stringify([lines, changes, end]) === JSON.stringify([message.lines, message.changes, message.end]) &&
        forms.cleanText(text) === text;
      if (isSame) return text;
      return toMessage({
        ...cleanMark(message),
        subject: forms.cleanText(changes.length === 0 ? (text.split("\n", 1)[0] ?? "") : subjectOf(changes, sighting)),
        reason: reason === undefined ? undefined : forms.cleanText(reason),
        sighting,
        changes: sighting ? changes : [],
        lines,
        end,
      });
    },
  };
}

/**
 * What a record goes on from now; undefined where it went on from nothing that is known. Nearly always from the one
 * before it; not where a journal was cut back, or two folders have become one.
 */
function startOf(line: string, { last, links }: Chain, starts: readonly string[]): string | undefined {
  if (links.has(last) && goesOnFrom(last, line)) return links.get(last);
  const start = starts.find((one) => goesOnFrom(one, line));
  if (start !== undefined) return start;
  for (const [before, now] of links) if (goesOnFrom(before, line)) return now;
  return undefined;
}

function withSameLink(text: string, link: string | undefined): string {
  return link === undefined ? text : `${text.slice(0, -1)},"link":"${link}"}`;
}
