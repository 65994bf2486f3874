/** The languages that the guard reads, and one that it knows a single word of. */
type Language = "en" | "zh" | "es" | "pt" | "ru" | "ja" | "de" | "fr" | "ko" | "tr" | "nl";

/**
 * `password`: people choose it. `generated`: a machine made it. `pin`: digits alone. `login`: a name, and behind it a
 * password; or one value that stands for both.
 */
export type WordKind = "password" | "generated" | "pin" | "login";

export interface SecretWord {
  readonly word: string;
  readonly language: Language;
  readonly kind: WordKind;
}

/** `api key`, `api_key`, `api-key`, `api.key` and `apikey`. */
const joined = (first: string, second: string) => ["", " ", "_", "-", "."].map((between) => first + between + second);
const englishKeys = `api access private secret signing encryption master auth account app shared preshared setup deploy license admin
  management service integration webhook unseal activation ingest ingestion subscription restricted`;

/** What people call a secret. Endings may follow: `парол` is “пароля” as well. */
const table: Readonly<Record<Language, Partial<Record<WordKind, string>>>> = {
  en: {
    password: `password, passwd, passphrase, passcode, pwd, pass, pw, storepass, keypass, psk, access code, pass code, pass-code,
      ${joined("pass", "phrase").slice(1).join()}`,
    generated: `secret, token, ${englishKeys
      .split(/\s+/)
      .flatMap((key) => joined(key, "key"))
      .join()}, key to the api, key for the api, key of the api`,
    pin: "pin, pin code, pin-code, pincode, pin number",
    login: "credential, creds, login, basic auth",
  },
  zh: {
    password: "密码, 密碼, 口令, 暗号, 通行码, 授权码, 授權碼",
    generated: "密钥, 密鑰, 秘钥, 秘鑰, 金鑰, 令牌, 權杖, 私钥, 私鑰, 凭证",
    pin: "pin码, pin碼",
    login: "账号密码, 帳號密碼, 凭据, 登录信息",
  },
  es: {
    password: "contraseña, contrasena, frase de paso, frase secreta, palabra clave",
    generated: "clave, llave, secreto, ficha de acceso",
    pin: "código pin, clave pin",
    login: "credenciales, datos de acceso",
  },
  pt: {
    password: "senha, palavra-passe, palavra passe, frase secreta, frase-passe, código de acesso",
    generated: "chave, segredo",
    pin: "código pin",
    login: "credenciais, dados de acesso",
  },
  ru: {
    password: "парол, кодовая фраза, кодовое слово, секретная фраза",
    generated: "ключ, токен, секрет",
    pin: "пин-код, пинкод, пин",
    login: "учётные данные, учетные данные, логин и парол, доступы",
  },
  ja: {
    password: "パスワード, 合言葉, パスフレーズ, パスコード, 合い言葉",
    generated: "キー, トークン, シークレット, 秘密鍵, 鍵",
    pin: "暗証番号, pinコード, pin番号",
    login: "認証情報, ログイン情報",
  },
  de: {
    password: "passwort, kennwort, zugangscode, passwörter",
    generated: "schlüssel, schluessel, zugriffstoken, geheimnis",
    pin: "pin-nummer, geheimzahl",
    login: "zugangsdaten, anmeldedaten",
  },
  fr: {
    password: "mot de passe, mdp, phrase secrète, phrase secrete, phrase de passe, code secret, code d'accès",
    generated: "clé, clef, jeton, cle api, cle d'api, cle secrete, cle privee, cle d'acces",
    pin: "code pin",
    login: "identifiants, identifiant et mot de passe",
  },
  ko: {
    password: "비밀번호, 패스워드, 암호, 비번, 패스프레이즈",
    generated: "키, 토큰, 시크릿",
    pin: "핀번호, pin 번호, pin번호, 핀 번호",
    login: "인증 정보, 인증정보, 자격 증명, 자격증명, 로그인 정보",
  },
  tr: {
    password: "şifre, sifre, parola",
    generated: "anahtar, belirte, jeton, sırrı, gizli bilgi",
    pin: "pin kodu",
    login: "kimlik bilgileri, giriş bilgileri",
  },
  nl: { password: "wachtwoord" },
};

/** Scripts that put no blank between words, or put particles right behind them. */
export const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Words of several parts are names as well: `mot_de_passe`, `frase-secreta`. */
function namesOf(written: string): string[] {
  return [...new Set([written, written.replaceAll(/[ ']/g, "_"), written.replaceAll(/[ ']/g, "-")])];
}

/** By how it is written, in both ways that Unicode has for letters with a mark. */
export const secretWords: ReadonlyMap<string, SecretWord> = new Map(
  (Object.keys(table) as Language[]).flatMap((language) =>
    (Object.keys(table[language]) as WordKind[]).flatMap((kind) =>
      (table[language][kind] ?? "").split(",").flatMap((listed) =>
        namesOf(listed.trim()).flatMap((written) => {
          const word = { word: written, language, kind };
          return (["NFC", "NFD"] as const).map((form) => [written.normalize(form), word] as const);
        }),
      ),
    ),
  ),
);

/**
 * What stands right before a value: a sign, the verb that says what it is, or a particle that marks it. The languages
 * share one list: notes mix them, and none of these is a word of the other languages that a value could follow.
 */
const signs = "[:：=→⇒]|->|=>|[-–—](?=\\s)";
const verbs = `is are was be as it's es son era é são ist sind war lautet lauten heißt est sont это является являются
  equals reads becomes será serán sera seront serão ficou fica queda quedó wird bleibt vaut будет станет теперь сейчас
  şimdi artık şu\\san(?:da)?`;
const particles =
  "是|为|為|成了|改成|改为|改為|换成|換成|变成|變成|设为|設為|设成|置为|置為|新为|は|が|を|って|는|은|이|가|을|를";
const adverbs = "now still just currently ahora agora jetzt maintenant теперь сейчас artık";
const quotes = "[\\s\"'`«»„“”‘’「『（(*<]{0,4}";
const anyOf = (words: string) => words.trim().split(/\s+/).join("|");

export const link = new RegExp(
  `(?:${signs}|(?:^|[\\s"'\`»）)])(?:${anyOf(verbs)})(?: (?:${anyOf(adverbs)}))?(?=[\\s:«"'\`])|${particles}):?${quotes}$`,
  "iu",
);

/** “changed to x”: the verb of a change and its preposition, or that alone where nothing else is between. */
const changes = `wurde wird steht foi fue changed set reset rotated updated switched geändert gesetzt umgestellt mudou mudada alterada trocada
  redefinida redefinido trocado alterado atualizada ficou passou cambió cambiada cambiado actualizada actualizado
  restablecida restablecido quedó changé changée modifié modifiée remplacé réinitialisé réinitialisée изменён изменен
  сменён сменен сменил поменял обновлён обновлен обновил сброшен установлен заменён заменен`;
const towards = "to auf para a en em à por par на als per olarak";
export const change = new RegExp(
  `^(?:[^\\n]{0,40}(?:${anyOf(changes)})(?: [\\p{L}]{1,12}){0,3})? (?:${anyOf(towards)})[\\s:]${quotes}$`,
  "iu",
);

/** Right behind a value: it is what the word was set to. Where the verb ends the sentence nothing before the value says so. */
const setTo = `olarak oldu olacak geändert gesetzt zurückgesetzt umgestellt に(?:変更|設定|リセット|変え|しま|した|なり|差し替え|更新)
  (?:으로|로)[\\s](?:변경|바꾸|바꿨|바뀌|설정|초기화|교체|재설정) 가[\\s]됩`;
export const setAfter = new RegExp(`^["'\`»”」』]?[\\s]?(?:${anyOf(setTo)})`, "u");

/** Whose it is: “for the gate”, “du serveur”, and in Russian by the case alone. What follows is the value, as if it stood beside the word. */
const prepositions = `for of on at from with to in de del do da du des d' für vom von zu des der от для к на pour sur
  para no na código için`;
/** Which of them it is, in languages that say so behind the word: “secret client x”, “clave privada x”. */
const kinds = `client cliente secret secreta secreto privada privado privé privée admin root actuel actuelle actual atual
  nuevo nueva novo nova maître maestra mestra`;
export const owner = new RegExp(
  `^(?:[\\p{L}]{0,8} {0,2}(?:${anyOf(prepositions)}) [\\p{L}\\w.'@/-]{1,30}(?: [\\p{L}\\w.'@/-]{1,24}){0,2},?| (?:${anyOf(kinds)})|[\\p{L}]{0,3} \\p{Script=Cyrillic}{3,20})\\s${quotes}$`,
  "iu",
);

/** Said of a key that everybody may know, or of one that finds something instead of opening it. */
const openWords = new Set(
  `max min num total prompt completion input output context design css color next_page nextpage page continuation cursor
  cancellation pad eos bos unk mask sep cls special fencing ring public publishable primary foreign partition sort cache
  idempotency trace sync delimiter push device öffentliche öffentlicher öffentlichen öffentliches pública público
  publique primária primaria primaire primär primärer публичный открытый первичный açık birincil`.split(/\s+/),
);
const openEndings = ["公開", "公开", "공개", "公", "主"];

/** Asked of every such word in a text, and so by hand. */
export function isOpen(text: string, at: number): boolean {
  let end = at;
  while (end > 0 && at - end < 2 && "-_ .".includes(text[end - 1] ?? "")) end -= 1;
  let start = end;
  while (start > 0 && end - start < 16 && isLetterCode(text.charCodeAt(start - 1))) start -= 1;
  if (start === end) return false;
  const word = text.slice(start, end);
  return openWords.has(word.toLowerCase()) || openEndings.some((ending) => word.endsWith(ending));
}

/** Letters and their marks; whether a sign of another script is one matters to no word here. */
export function isLetterCode(code: number): boolean {
  if (code < 0x80) return (code | 32) >= 97 && (code | 32) <= 122;
  return code >= 0xc0;
}

/** Names of what is about a secret: `api_key_id`, “password policy”. */
const about = `count counts counter length len size limit limits budget usage rate name names id ids uuid hash hashes
  hashed hasher hashing digest salt url urls uri endpoint path paths file files filename dir folder type types kind kinds
  expiry expires expired expiration ttl lifetime timeout policy policies rule rules field fields label hint
  placeholder prompt title error errors reset forgot minlength maxlength ref refs arn header headers prefix
  suffix store stores manager provider providers class regex pattern format encoding encryption encrypted algorithm alg
  strength score column rotation issuer audience validator generator parser export import`;
/** As parts of a name only: in a sentence “the password at home” is a password still. */
const aboutInNames = `s ize ized izer izers age rate input help message min max required enabled disabled visible index
  table env var stdin bucket scope scopes status state version created updated date time at source sources location
  keeper helper holder owner realm subject cache service handler factory stream text_color color colour map list set
  ring chain board word words frame frames pair pairs hunt sauce santa`;
const nameAbout = new RegExp(`^s?[-_ ]?(?:${anyOf(about)}|${anyOf(aboutInNames)})(?!\\p{Ll})`, "iu");
const phraseAbout = new RegExp(`^[ _-](?!reset to )(?:${anyOf(about)})(?![\\p{L}])`, "iu");

export function isNameAbout(suffix: string): boolean {
  return nameAbout.test(suffix);
}

export function isPhraseAbout(after: string): boolean {
  return phraseAbout.test(after);
}
