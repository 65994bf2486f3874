import { isNamed, isTypePath, isWordy } from "./wordiness.ts";

/**
 * Whether the value as a whole stands for one that is not there. The whole matters: a secret with `<` or `example`
 * somewhere in it, around it or behind it is still a secret.
 */
export function isPlaceholder(value: string): boolean {
  return (
    isMark(value) || isWrappedName(value) || isFilled(value) || isSequence(value) || words.has(value.toLowerCase())
  );
}

/** Of these the form says all: nobody's password looks like that. */
function isMark(value: string): boolean {
  return marks.some((mark) => mark.test(value));
}

const marks: readonly RegExp[] = [
  /^\$\([^\n]{0,200}\)$/,
  /^\$[0-9@*]$/,
  /^%(?:[0-9s]|\([a-z_]{1,40}\)s)$/i,
  /^:'?[a-z_]{1,80}'?$/i,
  /^[?*.…•_\-#=+~]{1,200}$/,
  // Also behind the beginning that tokens of a service have: `ghp_0000…`.
  /^(?:[a-z]{2,8}[-_]){0,3}(.)\1{3,200}$/i,
  /^x{3,200}[-_.a-z0-9]{0,3}$/i,
  // The secrets for tests in the documentation of hCaptcha and Turnstile.
  /^[0-3]x0{20,64}(?:AA)?$/,
  // The keys in the documentation of AWS.
  /^(?:A[A-Z]{3}[A-Z0-9]{9}EXAMPLE|[A-Za-z0-9/+]{30}EXAMPLEKEY)$/,
];

/** What templates, shells and people put where a value belongs: a name, in brackets or behind a sign. */
function isWrappedName(value: string): boolean {
  return wrapped.some((wrap) => {
    const [found, inside] = wrap.exec(value) ?? [];
    if (found === undefined) return false;
    return isNamed(inside ?? found) || isTypePath((inside ?? found).replaceAll(/^["']|["']$/g, ""));
  });
}

const wrapped: readonly RegExp[] = [
  /^<([^<>]{0,200})>$/,
  /^\$\{([^\n]{0,200})\}$/,
  /^\$\$?([A-Za-z_][A-Za-z0-9_:.]{0,80})$/,
  /^#?\{([^\n]{0,200})\}$/,
  /^%([^%\n]{1,80})%$/,
  /^\[([^\]\n]{0,200})\]$/,
  /^\(([^)\n]{0,200})\)$/,
  /^__([A-Z0-9_]{1,80})__$/,
  /^@([\w./-]{1,200})$/,
  // “your-token-here”, “YOUR_API_KEY”, “my-secret”, “insert_password”, “replace-me”, “test-token”, “example_key”.
  /^(?:your|my|our|the|some|a|an|insert|enter|put|replace|change|add|set|paste|example|sample|dummy|fake|mock|test|demo|placeholder|redacted|hidden|masked|removed|todo|tbd|fixme|foo|bar|foobar|local|dev|not|no)(?:[-_ .](?:[a-z]{1,24}|[0-9]{1,4})){0,6}$/i,
  /^(?:your|my|change|replace|insert|dummy|fake|mock|test)(?:me|it|this|secret|password|token|key|api|pass)([a-z]{0,24}|[0-9]{0,3})$/i,
  // “dbpassword”, “appsecret”.
  /^([a-z]{0,6})(?:password|secret|token|apikey)$/i,
];

/** `sk-xxxx`, `ghp_****`, `abc...`, `api-key-here`: a few characters to say what it is, and nothing behind them. */
function isFilled(value: string): boolean {
  const [, before] = filled.exec(value) ?? [];
  return before !== undefined && (isWordy(before) || isSequence(before));
}

const filled =
  /^([a-z0-9_-]{0,16}?[-_]?(?=x{4}|\*{3}|\.{3}|…)|[a-z0-9_-]{0,40}(?=[-_](?:here|goes[-_]here|placeholder|example)$))(?:x{4,200}|\*{3,200}|\.{3,200}|…|[-_](?:here|goes[-_]here|placeholder|example))$/i;

const words = new Set(
  `null nil none undefined void latest true false yes no on off empty blank unset missing required optional default string str
  text bytes number int integer bool boolean object any unknown never char varchar uuid secretstr securestring buffer
  password passwd pass pwd pw passphrase secret secrets token tokens key apikey api_key credential credentials value
  user username admin root guest postgres mysql redis mongo rabbitmq minio sa changeit changeme letmein qwerty
  hidden masked redacted removed sensitive`.split(/\s+/),
);

/** `123456:ABC-DEF`, `abc123`: what fingers type when an example is wanted. */
function isSequence(value: string): boolean {
  const runs = value.toLowerCase().match(/[a-z]{1,40}|[0-9]{1,40}/g);
  if (!runs || value.length > 20 || (value.length > 7 && !/[-_:]/.test(value))) return false;
  const ordered = ["abcdefghijklmnopqrstuvwxyz", "defghijkl", "12345678901234567890", "01234567890"];
  return runs.every((run) => run.length >= 3 && ordered.some((sequence) => sequence.startsWith(run)));
}
