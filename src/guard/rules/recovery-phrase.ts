import type { Effort, Rule, Span } from "../rule.ts";
import { alternativesOf } from "../secret-words.ts";
import { sentenceVerbs, smallWords } from "../sentence-words.ts";

/** What the words are called, in ten languages. `{a|b}` stands for either; endings may follow. */
const surely = `{seed|recovery|backup|mnemonic}{ |-|_}{phrase|word}, seedphrase, mnemonic, {12|15|18|21|24|twelve|twenty-four|twenty four}{ |-}word,
  助记词, 助記詞, 注记词, 助记短语, {恢复|备份|种子}{短语|词|单词}, {恢復|備份|種子}{短語|詞}, 个单词,
  frase {de recuperación|de recuperacion|de respaldo|semilla|mnemónica|mnemotécnica}, palabras {semilla|de recuperación|de respaldo}, {12|24} palabras,
  frase{-| }{de recuperação|de recuperacao|semente|mnemônica}, palavras {semente|de recuperação}, {12|24} palavras,
  сид{-| |}фраз, {фраза|фразы|фразу|слова|слов} восстановления, мнемо, {12|24} слов,
  {リカバリー|リカバリ|シード|復元|復元用|秘密の}フレーズ, ニーモニック, ニモニック, 復元用単語, 単語,
  wiederherstellungs{phrase|wörter|woerter|worte|satz|-phrase}, seed{-| |}{phrase|wörter|worte}, mnemonik, {12|24} {wörter|worte},
  phrase {de récupération|de recuperation|mnémonique|de graine|de restauration|secrète}, mots {de récupération|mnémoniques}, {12|24} mots,
  {복구|시드|백업|니모닉}{| }{문구|구문|단어|어구}, 니모닉, {12|24}{|개 }단어,
  {kurtarma|tohum|yedekleme|cüzdan|anımsatıcı|gizli kurtarma} {ifade|kelime|cümle|sözcük}, {12|24} kelime`;
const perhaps =
  "seed, phrase, wallet, passphrase, semilla, cartera, monedero, billetera, carteira, кошел, сид, 钱包, 錢包, シード, ウォレット, portefeuille, geldbörse, 시드, 지갑, cüzdan, tohum";

const sure = new Set(surely.split(",").flatMap((one) => alternativesOf(one.trim())));
const anchors = [...new Set([...sure, ...perhaps.split(", ")])];

const reach = 420;
/** Where the words may begin: behind the name itself, a sign, a verb or a quote. */
const suffix = /^[\p{Script=Latin}\p{Script=Cyrillic}]{0,8}/u;
const beginning =
  /[:：=＝→>\n"'`«„“「]|[-–—](?=\s)|(?<=\s)(?:is|are|es|son|é|são|ist|sind|lautet|lauten|est|sont|это)(?=\s)|[是为は는은]/gu;
const beginsWithin = 72;
const mostBeginnings = 6;
const opening = /[\s>"'`*«„“「()[\]-]{0,8}(?:1[.):]{0,1}\s{1,2})?/uy;
const word = /\p{L}{2,10}|\p{Script=Han}(?!\p{L})/uy;
const separator =
  /(?:[ \t\u3000]{1,3}|[ \t]{0,2}[,、，;|·/][ \t]{0,2}|[ \t,]{0,3}\r?\n[ \t>*-]{0,6})(?:[0-9]{1,2}[.):]{0,1}[ \t]{0,2})?/y;
/** The shortest phrases of BIP 39. Nothing that stands behind the last word excuses them. */
const shortest = 12;

export const recoveryPhraseRule: Rule = {
  id: "recovery-phrase",
  title: "the recovery phrase of a wallet",
  anchors,
  knownByForm: false,
  find: findPhrase,
  matches: [
    "seed phrase: ranch visual solar kiwi update fabric lunar minor cabin trumpet orphan sadness",
    "Ledger backup, 24 words, in order:\n> ranch visual solar kiwi update fabric lunar minor cabin trumpet orphan sadness",
    "phrase of the wallet for tests: ranch visual solar kiwi update fabric lunar minor cabin trumpet orphan sadness",
    "钱包助记词：ranch visual solar kiwi update fabric lunar minor cabin trumpet orphan sadness",
    "frase de recuperación de la cartera: lobo nube farol cedro piano risa trigo museo boina actor ronda hielo",
    "Сид-фраза кошелька: 1. ranch 2. visual 3. solar 4. kiwi 5. update 6. fabric 7. lunar 8. minor 9. cabin 10. will 11. orphan 12. this",
    "복구 문구는 가격 가난 나침반 다람쥐 라디오 마라톤 바가지 사계절 아스팔트 자전거 차선 카메라 (렛저)",
  ],
  passes: [
    "seed phrase: never write the twelve words into a note that anybody else can read at all",
    `The mnemonic of the test vector: ${"abandon ".repeat(11)}about`,
    "wallet: send receive swap stake bridge history settings backup",
    "seed tables: users, orders, items, carts, vendors, prices, taxes, stock, refunds, coupons, reviews, ratings",
    "Die Wiederherstellungsphrase liegt beim Notar und wird jedes Jahr einmal von zwei Personen gemeinsam geprüft",
  ],
};

function findPhrase(text: string, anchor: Span, effort: Effort): Span | undefined {
  const near = text.slice(anchor.end, anchor.end + reach);
  const isSure = sure.has(text.slice(anchor.start, anchor.end).toLowerCase());
  effort.spent += 4;
  const ending = suffix.exec(near)?.[0].length ?? 0;
  const signs = [...near.slice(ending, beginsWithin).matchAll(beginning)].slice(0, mostBeginnings);
  for (const from of [ending, ...signs.map(({ index, 0: sign }) => ending + index + sign.length)]) {
    const found = wordsAt(near, from, isSure, effort);
    if (found) return { start: anchor.end + found.start, end: anchor.end + found.end };
  }
  return undefined;
}

function wordsAt(near: string, from: number, isSure: boolean, effort: Effort): Span | undefined {
  opening.lastIndex = from;
  const start = from + (opening.exec(near)?.[0].length ?? 0);
  const words: string[] = [];
  let at = start;
  while (words.length < shortest) {
    word.lastIndex = at;
    const [found] = word.exec(near) ?? [];
    if (found === undefined || isOfProse(found)) break;
    words.push(found);
    if (words.length === shortest) break;
    separator.lastIndex = at + found.length;
    const [between] = separator.exec(near) ?? [];
    // Lists of other things are called seeds as well.
    if (between === undefined || (!isSure && /[,、，;|·/]/.test(between))) break;
    at += found.length + between.length;
  }
  effort.spent += 2 + words.length * 2;
  if (words.length < shortest || new Set(words).size < shortest - 2 || !isOfOneKind(words)) return undefined;
  return { start, end: at + (words.at(-1)?.length ?? 0) };
}

function isOfProse(found: string): boolean {
  const small = found.toLowerCase();
  return smallWords.has(small) || sentenceVerbs.has(small);
}

const kinds = [
  /^\p{Ll}{1,10}$/u,
  /^\p{Lu}\p{Ll}{0,9}$/u,
  /^\p{Lu}{1,10}$/u,
  /^\p{Script=Han}$/u,
  /^[\p{Script=Hiragana}ー]{1,10}$/u,
  /^\p{Script=Hangul}{1,10}$/u,
];
/** What plurals, particles and verbs end with; the words of the lists seldom do. */
const inflected = /[^s]s$|[을를은는에의]$|니다$|[어해]요$/u;

/** All in small letters, or none; and in one script. The first may be that of a sentence, the last may have something behind it. */
function isOfOneKind(words: readonly string[]): boolean {
  const inner = words.slice(1, -1);
  return (
    kinds.some((kind) => inner.every((one) => kind.test(one))) && words.filter((one) => inflected.test(one)).length <= 3
  );
}
