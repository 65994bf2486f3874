import type { Span } from "./rule.ts";

/** A literal inside of an expression. */
export interface ExpressionLiteral extends Span {
  readonly text: string;
  /** `fallback`: it stands in for what is not set. `argument`: a call is given it, and may do anything with it. */
  readonly place: "fallback" | "argument";
}

/** An expression of ordinary length; a longer one is a program, and its lines have names of their own. */
const reach = 200;
const mostLiterals = 4;

const beginning =
  /(?:(?:await|new|<%=) ){0,2}[!&*@$]{0,2}[A-Za-z_$][\w$.:?!<>-]{0,120}(?:[([]|[ \t]{1,2}(?:\?\?|\|\||\?:|or)[ \t])/y;
const literal = /(["'])([^\s"']{6,128})\1/g;
const fallback = /(?:\?\?|\|\||\?:|(?:^|[\s)\]])or|\)[ \t]{0,2}\{|\.unwrap_or\(|\.or_?else\()[ \t]{0,4}$/i;
const argument = /[(,][ \t]{0,4}(?:\w{1,40}[ \t]{0,2}[=:][ \t]{0,2})?[bBrRuU@]?$/;
const callee = /([\w$]{1,60})!?\([^()\n]{0,120}$/;

/** Their arguments say where the value is, or what is to be made of it, and are not the value. */
const finders =
  /get|read|fetch|load|find|look_?up|resolve|open|require|import|env|^var$|config|manager|from_?(?:secret|file|name|path)|retrieve|access|credential|vault|param|prop|input|prompt|query|select|locat|decrypt|decipher|unseal|hash|digest|verif|compare|translate|^t$|path|join|url|item|^(?:log|print|warn|error)$/i;
/** Of these the second argument is what they give where nothing is found. */
const withFallback =
  /^(?:get_?env|env|get|fetch|get_?or_?default|get_?property|get_?env(?:ironment)?_?var(?:iable)?)$/i;

/**
 * The literals of the expression at `at`: `wrap("x")`, `os.getenv("NAME", "x")`, `process.env.NAME ?? "x"`. A call is no
 * secret, but what stands in quotes in it may be one.
 */
export function literalsOfExpression(text: string, at: number): ExpressionLiteral[] {
  beginning.lastIndex = at;
  if (!beginning.test(text)) return [];
  const line = text.slice(at, at + reach).split("\n", 1)[0] ?? "";
  const found: ExpressionLiteral[] = [];
  for (const one of line.matchAll(literal)) {
    const place = placeAfter(line.slice(0, one.index));
    const start = at + one.index + 1;
    if (place) found.push({ text: one[2] ?? "", place, start, end: start + (one[2]?.length ?? 0) });
    if (found.length >= mostLiterals) break;
  }
  return found;
}

export function isFinder(called: string): boolean {
  return finders.test(called);
}

function placeAfter(lead: string): ExpressionLiteral["place"] | undefined {
  if (fallback.test(lead)) return "fallback";
  const [before] = argument.exec(lead) ?? [];
  if (before === undefined) return undefined;
  const called = callee.exec(lead.slice(-180))?.[1] ?? "";
  if (before.startsWith(",") && withFallback.test(called)) return "fallback";
  return called === "" || isFinder(called) ? undefined : "argument";
}
