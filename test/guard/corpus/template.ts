import { alphanumeric, base64, base64Url, createRandom, digits, hex, lower, type Random, upper } from "./random.ts";

/**
 * The survey is written as templates, so that no value that looks like a key stands in the repository: `{h40}` is 40
 * hexadecimal digits, `{pw}` a password as a person makes it, `{n}` a line end, `{S}` a dollar. Of passwords there are
 * also shapes that no rule was made from: `{s12}` letters and signs without a digit, `{o10}` small letters and digits,
 * `{c9}` Cyrillic letters and digits.
 */
const alphabets: Readonly<Record<string, string>> = {
  a: alphanumeric,
  b: base64,
  c: "абвгдежзиклмнопрстуфхцчшэюяАБВГДЕЖЗИКЛМН23456789",
  d: digits,
  h: hex,
  H: hex.toUpperCase(),
  k: lower + digits,
  K: upper + digits,
  l: lower,
  o: `${lower}${digits}${digits}`,
  s: `${lower}${lower}${upper}!#%*+?`,
  U: upper,
  w: base64Url,
  x: `${upper}234567`,
};

const words = "maple falcon ember copper orbit willow cactus pepper harbor velvet thunder magnet saddle tulip".split(
  " ",
);

function password(random: Random): string {
  const word = random.pick(words);
  const shaped =
    random.below(2) === 0 ? word[0]?.toUpperCase() + word.slice(1) : word.replace("a", "@").replace("e", "3");
  const shapes = [
    () => `${shaped}${random.pick([..."!#%&*?+"])}${random.text(digits, 3)}`,
    () => `${shaped}-${random.text(alphanumeric, 4)}${random.text(digits, 2)}`,
    () =>
      `${random.text(alphanumeric, 7)}${random.pick([..."!#%&*?+"])}${random.text(alphanumeric, 5)}${random.text(digits, 2)}`,
    () => `${random.text(lower, 4)}${random.text(upper, 3)}${random.text(digits, 4)}`,
  ];
  return random.pick(shapes)();
}

function uuid(random: Random): string {
  const part = (length: number) => random.text(hex, length);
  return `${part(8)}-${part(4)}-4${part(3)}-${random.pick([..."89ab"])}${part(3)}-${part(12)}`;
}

function made(hole: string, random: Random): string {
  if (hole === "n") return "\n";
  if (hole === "S") return "$";
  if (hole === "pw") return password(random);
  if (hole === "uuid") return uuid(random);
  if (hole.startsWith("base64:")) {
    const inner = hole.slice("base64:".length).replaceAll("[", "{").replaceAll("]", "}");
    return Buffer.from(filled(inner, random)).toString("base64");
  }
  const sized = /^([abcdhHkKlosUwx])(\d+)$/.exec(hole);
  const alphabet = alphabets[sized?.[1] ?? ""];
  if (!alphabet) throw new Error(`No such hole: {${hole}}`);
  return random.text(alphabet, Number(sized?.[2]));
}

function filled(template: string, random: Random): string {
  return template.replace(/\{(n|S|pw|uuid|base64:[^{}]*|[abcdhHkKlosUwx]\d+)\}/g, (_, hole: string) =>
    made(hole, random),
  );
}

export interface SurveyLine {
  readonly label: string;
  readonly content: string;
  readonly half: "developed" | "heldOut";
}

/** Lines of the form `label | template`. Every second line of the whole list is held out. */
export function surveyLines(text: string, seed: number): readonly SurveyLine[] {
  const random = createRandom(seed);
  return text
    .split("\n")
    .filter((line) => line.includes(" | "))
    .map((line, index) => {
      const cut = line.indexOf(" | ");
      const half = index % 2 === 0 ? "developed" : "heldOut";
      return { label: line.slice(0, cut).trim(), content: filled(line.slice(cut + 3), random), half };
    });
}
