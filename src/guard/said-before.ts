import { isSaidSecret, plausibilityOf } from "./plausible-value.ts";
import type { Effort, Span } from "./rule.ts";
import { isChosen, isPhraseAbout, type WordKind } from "./secret-words.ts";

/** How far before the word the value may begin. */
const reach = 96;
const mostBetween = 5;

/** Between the value and the word: “x is the new password”, “x als Passwort”. */
const links = new Set("is as was ist als es como est comme é это как —".split(" "));
/** What may follow in English; a noun there is what the sentence is about: “is the token class”. */
const goesOn =
  /^["'`)*]{0,3}(?:\s{0,3}$|\s{0,2}[.,;:!?()\n]|\s(?:for|of|to|on|in|at|and|until|when|here|now|if|we|you|i|von|vom|für|de|du|del|para|pour|от|для)(?!\p{L}))/iu;
/** 作为密码, がパスワード, 를 암호로: particles, and at most an adjective behind them. */
const particle = /["'”」』]?[ ]?(?:を|が|は|是|作为|作為|当作|當作|为|為|을|를|이|가) ?\p{L}{0,6} ?$/u;
/** Cases that say what is done with it: “x parolasıyla gir”, “x anahtarını kullan”. */
const turkish = /^(?:parola|şifre|sifre|anahtar|jeton|belirte)\p{L}{0,6}(?:yla|yle|ını|ini|nı|ni)$/iu;

/** `let key = "x"; // EXA_API_KEY` */
const commented = /["'`]([\w.+/=:-]{16,64})["'`][)\];,]{0,4}[ \t]{1,4}(?:\/\/|#|--|\/\*) {0,2}$/;

/** “x (old hub token)”, “x  # the password of root”, “x <- root password” */
const remark = /[ \t]{1,4}(?:\(|#{1,2} ?|\/\/ ?|[-–—] |<-{1,2} ?|← ?)(?:[\p{L}\d'./-]{1,16} ){0,4}$/u;

interface Said {
  /** The whole name, with its ending. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly kind: WordKind;
}

/** “Use x as the password”: the value stands before the word. Surer than behind it, as any name may stand there. */
export function valueBefore(text: string, { name, start, end, kind }: Said, effort: Effort): Span | undefined {
  if (kind === "login") return undefined;
  const near = text.slice(Math.max(0, start - reach), start);
  const behind = near.slice(near.lastIndexOf("\n") + 1);
  if (behind.length < 10 || !/[0-9]/.test(behind)) return undefined;
  effort.spent += 6;
  const after = text.slice(end, end + 48);
  if (kind === "pin") return explains.test(after) ? typedPin(behind, start - behind.length, effort) : undefined;
  const found = candidateIn(behind, name, after);
  if (!found || isPhraseAbout(after)) return undefined;
  effort.spent += 40;
  const [, lead = "", value = ""] = /^([("'`«“「『*]{0,3})([\x21-\x7e]{1,80}?)["'`»”)*,]{0,3}$/.exec(found.text) ?? [];
  if (!isSure(value, kind, found)) return undefined;
  const from = start - behind.length + found.at + lead.length;
  return { start: from, end: from + value.length };
}

interface Candidate {
  readonly text: string;
  readonly at: number;
  /** In quotes, and the word is the comment behind it. */
  readonly isLiteral?: boolean;
  /** A verb says that the value is what the word means. */
  readonly isLinked?: boolean;
  /** The word is a remark behind the value: “x (old hub token)”. */
  readonly isRemark?: boolean;
  /** And a verb says that it is needed for something. */
  readonly isWanted?: boolean;
}

/** “to unlock it type 4821 (its PIN)”: between the verb and the bracket one number alone. */
function typedPin(behind: string, lineStart: number, effort: Effort): Span | undefined {
  effort.spent += behind.length;
  const [, lead, digits] = typed.exec(behind) ?? [];
  if (lead === undefined || digits === undefined || /^(?:19|20)[0-9]{2}$/.test(digits)) return undefined;
  const start = lineStart + behind.indexOf(lead + digits) + lead.length;
  return { start, end: start + digits.length };
}

/** The rest of the bracket that the word stands in: it names what the value is for, and not where it is kept. */
const explains = /^\)|^ (?:of|for|von|vom|für|der|des|de|du|del|di|от|для|к) (?:[\p{L}\w.'-]{1,20} ?){1,4}\)/u;
const typed =
  /(?:^|\s)(?:type|enter|dial|tap|press|use|with|mit|con|avec|com|entsperren|öffnen|tippe?|gib|teclea|marca|digita|tapez|tape|saisis|digitare|введи|набери)(?=\s)([^0-9()#/:]{0,40} )([0-9]{4,8})[#*]?(?: [^0-9()#/:]{0,40})?\((?:its|the|his|her|die|der|das|ihre|seine|el|la|le|son|su|il|это)? ?$/iu;

/** “the job needs x (password of root)” */
const wanted = /(?:^|\s)(?:needs?|takes?|wants?|uses?|with|enter|type|try|braucht|nimmt|mit|con|avec|com|нужен|с)\s$/iu;

function isSure(
  value: string,
  kind: WordKind,
  { isLiteral, isLinked = false, isRemark, isWanted }: Candidate,
): boolean {
  if (isLiteral) return plausibilityOf(value, { kind: "generated", literal: true }) === "strong";
  if (isChosen(kind) && isWanted) return isSaidSecret(value, kind, { standing: "linked", last: true });
  // Hashes and identifiers are explained in this way more often than secrets.
  if (isCamelCase(value) || (isRemark && /^(?:0x)?[0-9a-f-]{7,128}$/i.test(value))) return false;
  return (
    (isChosen(kind) && isSignedWord(value)) ||
    isSaidSecret(value, kind, { standing: "near", last: isLinked && isChosen(kind) })
  );
}

/** `Wint3r35?`: eight of letters, digits and a sign. */
function isSignedWord(value: string): boolean {
  return (
    /^[\w!#$%&*+=?@^~]{8,64}$/.test(value) && /[0-9]/.test(value) && /[a-z]/i.test(value) && /[!#$%*?^~]/.test(value)
  );
}

function candidateIn(behind: string, name: string, after: string): Candidate | undefined {
  const [comment, literal] = commented.exec(behind) ?? [];
  if (comment !== undefined && literal !== undefined && /^\s{0,2}(?:\*\/)?[ \t]{0,4}(?:\r?\n|$)/.test(after)) {
    return { text: literal, at: behind.length - comment.length + 1, isLiteral: true };
  }
  const particles = particle.exec(behind);
  if (particles) return lastPiece(behind.slice(0, particles.index));
  const remarked = goesOn.test(after) ? beforeRemark(behind, after) : undefined;
  if (remarked) return remarked;
  if (!behind.endsWith(" ")) return undefined;
  let rest = behind.trimEnd();
  if (turkish.test(name)) return lastPiece(rest.replace(/ (?:gizli|özel|api)$/i, ""));
  for (let steps = 0; steps < mostBetween; steps += 1) {
    const cut = rest.lastIndexOf(" ");
    if (cut < 0) return undefined;
    const word = rest.slice(cut + 1).toLowerCase();
    rest = rest.slice(0, cut);
    if (links.has(word))
      return /^(?:is|as|was)$/.test(word) && !goesOn.test(after) ? undefined : { ...lastPiece(rest), isLinked: true };
  }
  return undefined;
}

function beforeRemark(behind: string, after: string): Candidate | undefined {
  const [opened] = remark.exec(behind) ?? [];
  if (opened === undefined) return undefined;
  const piece = lastPiece(behind.slice(0, behind.length - opened.length));
  const isWanted = opened.endsWith("(") && explains.test(after) && wanted.test(behind.slice(0, piece.at));
  return { ...piece, isRemark: true, isWanted };
}

function lastPiece(text: string): Candidate {
  const ascii = /[\x21-\x7e«“「『»”]{1,90}$/.exec(text)?.[0] ?? "";
  return { text: ascii, at: text.length - ascii.length };
}

/** `Base64UrlEncoder`: names of types have digits and both cases, too. */
function isCamelCase(value: string): boolean {
  if (!/^\w{1,80}$/.test(value)) return false;
  const words = value.match(/[A-Z]?[a-z]{3,20}/g) ?? [];
  return words.join("").length >= value.length * 0.6;
}
