import { readFileSync } from "node:fs";
import { type Carried, carry } from "./carriers.ts";
import { kinds } from "./kinds.ts";
import { createRandom, digits, hex } from "./random.ts";

/** `tuning` is what the rules were made better on; `heldOut` was measured once, at the end. */
type Half = "tuning" | "heldOut";

export interface SecretCase extends Carried {
  readonly kind: string;
  readonly half: Half;
}

export interface HarmlessCase {
  readonly content: string;
  readonly half: Half;
}

const halfOf = (index: number): Half => (index % 2 === 0 ? "tuning" : "heldOut");

export function secretCases(perKind = 12): SecretCase[] {
  return kinds.flatMap((kind, kindIndex) => {
    const random = createRandom(1000 + kindIndex);
    return Array.from({ length: perKind }, (_, round) => ({
      kind: kind.kind,
      half: halfOf(round),
      ...carry(kind, random, round),
    }));
  });
}

export function harmlessCases(): HarmlessCase[] {
  const lines = readFileSync(new URL("harmless.txt", import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);
  return [...lines, ...templated()].map((content, index) => ({ content, half: halfOf(index) }));
}

const words = ["password", "token", "secret", "api key", "access key", "credential", "private key", "passphrase"];
const names = [
  "password",
  "token",
  "client_secret",
  "apiKey",
  "ACCESS_KEY",
  "credentials",
  "privateKey",
  "DB_PASSWORD",
];

/** Sentences and code around each of the words, with identifiers, hashes and placeholders where values could stand. */
function templated(): string[] {
  const r = createRandom(7);
  const uuid = () => [8, 4, 4, 4, 12].map((length) => r.text(hex, length)).join("-");
  const prose = (word: string): string[] => [
    `The ${word} is rotated every ${10 + r.below(80)} days by the platform team.`,
    `Where does the ${word} come from? From the vault, at start.`,
    `Fixed in ${r.text(hex, 40)}: the ${word} was logged on error.`,
    `See issue #${r.text(digits, 4)} (${word} rotation) and run ${uuid()}.`,
    `- ${word}: kept in the vault, item ${1 + r.below(90)}`,
    `- [x] ${word}: documented`,
    `| ${word} | required | since v${1 + r.below(9)}.${r.below(20)} |`,
    `The ${word} is not written to the log since v2.${r.below(30)}.0.`,
    `2025-0${1 + r.below(9)}-11: moved the ${word} to AWS Secrets Manager (eu-west-1)`,
    `${word}: at least ${12 + r.below(20)} characters, checked by zxcvbn`,
    `If the ${word} is older than ${r.below(400)} days, the job warns.`,
    `"${word}" is a word that scanners dislike.`,
    `${word} -> vault -> environment -> process`,
    `Ask ${r.pick(["Mina", "Jonas", "the platform team"])} for the ${word}; it is not in this note.`,
  ];
  const code = (name: string): string[] => [
    `${name}=$${name.toUpperCase()}`,
    `${name}: \${${name.toUpperCase()}}`,
    `${name} = <${name}>`,
    `"${name}": "<your ${name}>",`,
    `${name}: string;`,
    `const { ${name} } = config;`,
    `const ${name} = process.env.${name.toUpperCase()};`,
    `${name} = os.environ.get("${name.toUpperCase()}")`,
    `${name} = load_${name.toLowerCase()}(path)`,
    `${name}=xxxxxxxx${"x".repeat(r.below(20))}`,
    `${name}: "********"`,
    `${name}: REDACTED`,
    `${name}: {{ ${name.toLowerCase()} }}`,
    `${name} = vault.read("kv/app/${r.text(hex, 4)}").data`,
    `if (!${name}) throw new Error("${name} is missing");`,
    `expect(result.${name}).toBeUndefined();`,
    `${name}_id: ${uuid()}`,
    `${name}Count: ${r.text(digits, 3)}`,
    `docs/${name.toLowerCase()}.md explains it, last change ${r.text(hex, 7)}`,
    `${name}: Optional[str] = None`,
    `--${name.toLowerCase().replaceAll("_", "-")} <value>`,
    `this.${name} = options.${name};`,
    `${name} = var.${name.toLowerCase()}`,
    `# ${name}: see 1Password`,
    `${name}: file:/run/secrets/${name.toLowerCase()}`,
    `${name}_FILE=/run/secrets/${name.toLowerCase()}`,
    `${name}: null`,
    `delete headers.${name}; // never forward it`,
  ];
  const numbers = Array.from({ length: 90 }, (_, index) =>
    [
      `commit ${r.text(hex, 40)}`,
      `request ${uuid()} took ${r.text(digits, 3)} ms`,
      `sha256:${r.text(hex, 64)}  dist/app-${index}.tgz`,
      `max_tokens: ${r.text(digits, 4)}`,
      `#${r.text(hex, 6)} is the new --token-accent-${index}`,
      `used ${r.text(digits, 4)} tokens of ${r.text(digits, 5)}`,
    ].at(index % 6),
  ).flatMap((line) => line ?? []);
  return [...words.flatMap(prose), ...names.flatMap(code), ...numbers];
}
