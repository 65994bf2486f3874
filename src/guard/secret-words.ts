/** The languages that the guard reads, and the others, of which it knows a few words. */
type Language = "en" | "zh" | "es" | "pt" | "ru" | "ja" | "de" | "fr" | "ko" | "tr" | "others";

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

/** What codes of digits open. */
const codes = `door gate keypad unlock lock lockbox alarm entry entrance building elevator garage locker disarm
  intercom`;

/** What people call a secret. Endings may follow: `парол` is “пароля” as well. */
const table: Readonly<Record<Language, Partial<Record<WordKind, string>>>> = {
  en: {
    password: `password, passwd, passphrase, passcode, pwd, pass, pw, storepass, keypass, psk, access code, pass code, pass-code,
      security answer, security question, secret question, passwrd, pasword, passwrod, passwored, passowrd, pssword, passord, psw, pswd, psswd,
      pswrd, bindpw, rootpw, dbpw, adminpw, userpw, dbpass, rootpass, adminpass, userpass, smtppass, mailpass, paswd, pword, p/w, sign-in code,
      ${joined("pass", "phrase").slice(1).join()}`,
    generated: `secret, token, ${englishKeys
      .split(/\s+/)
      .flatMap((key) => joined(key, "key"))
      .join()}, key to the api, key for the api, key of the api`,
    pin: `pin, pin code, pin-code, pincode, pin number, ${codes
      .split(/\s+/)
      .map((place) => `${place} code`)
      .join()}, lock combination, safe combination, combination lock`,
    login: "credential, creds, login, basic auth",
  },
  zh: {
    password: "密码, 密碼, 口令, 暗号, 通行码, 授权码, 授權碼, 提取码, 提取碼, 解压码, 解压密码, 访问码",
    generated: "密钥, 密鑰, 秘钥, 秘鑰, 金鑰, 令牌, 權杖, 私钥, 私鑰, 凭证",
    pin: "pin码, pin碼, 门禁码, 開門碼, 开门码, 解锁码, 解鎖碼, 门锁密码, 保险箱密码",
    login: "账号密码, 帳號密碼, 凭据, 登录信息",
  },
  es: {
    password:
      "contraseña, contrasena, la contra, frase de paso, frase secreta, palabra clave, pregunta de seguridad, pregunta secreta, clave",
    generated: "llave, secreto, ficha de acceso",
    pin: `código pin, clave pin, código de seguridad, código de la puerta, código de acceso, código de entrada, código de desbloqueo,
      código de la alarma, código del portal, código de la caja fuerte`,
    login: "credenciales, datos de acceso",
  },
  pt: {
    password:
      "senha, palavra-passe, palavra passe, frase secreta, frase-passe, código de acesso, senhas, pergunta de segurança",
    generated: "chave, segredo",
    pin: `código pin, código da porta, código de entrada, código do portão, código de desbloqueio, código do alarme,
      código do cofre`,
    login: "credenciais, dados de acesso",
  },
  ru: {
    password:
      "парол, пасс, пассворд, пороль, пароли, кодовая фраза, кодовое слово, секретная фраза, секретный вопрос, контрольный вопрос",
    generated: "ключ, токен, секрет",
    pin: `пин-код, пинкод, пин, код от, код доступа, код домофона, код двери, код подъезда, код разблокировки, код сейфа,
      код сигнализации, код замка`,
    login: "учётные данные, учетные данные, логин и парол, доступы",
  },
  ja: {
    password:
      "パスワード, 解凍パス, ログインパス, 合言葉, パスフレーズ, パスコード, 合い言葉, wi-fiのパス, wifiのパス, wi-fiパス, wifiパス, zipのパス, パスワ, アクセスコード",
    generated: "キー, トークン, シークレット, 秘密鍵, 鍵",
    pin: "暗証番号, pinコード, pin番号, 解除コード, ロック解除番号, 入館コード, ドアコード, 入室コード, 開錠番号, 解錠番号",
    login: "認証情報, ログイン情報",
  },
  de: {
    password: "passwort, kennwort, zugangscode, passwörter, losungswort, passwrot, sicherheitsfrage",
    generated: "schlüssel, schluessel, zugriffstoken, geheimnis",
    pin: `pin-nummer, geheimzahl, türcode, entsperrcode, freischaltcode, torcode, alarmcode, tresorcode, haustürcode, schließfachcode,
      eingangscode`,
    login: "zugangsdaten, anmeldedaten",
  },
  fr: {
    password:
      "mot de passe, mdp, phrase secrète, phrase secrete, phrase de passe, code secret, code d'accès, code wifi, code wi-fi, mot de pass, mots de passe, question secrète, question de sécurité",
    generated: "clé, clef, jeton, cle api, cle d'api, cle secrete, cle privee, cle d'acces",
    pin: `code pin, digicode, code de la porte, code du portail, code d'entrée, code de l'alarme, code de déverrouillage,
      code du coffre, code de l'immeuble, code porte`,
    login: "identifiants, identifiant et mot de passe",
  },
  ko: {
    password: "비밀번호, 패스워드, 암호, 비번, 패스프레이즈, 비밀 번호, 접속 코드",
    generated: "키, 토큰, 시크릿",
    pin: "핀번호, pin 번호, pin번호, 핀 번호, 출입 코드, 출입코드, 출입번호, 현관 비번, 도어락 번호, 잠금 해제 코드",
    login: "인증 정보, 인증정보, 자격 증명, 자격증명, 로그인 정보",
  },
  tr: {
    password: "şifre, sifre, parola, erişim kodu",
    generated: "anahtar, belirte, jeton, sırrı, gizli bilgi",
    pin: "pin kodu, giriş kodu, kapı kodu, kapının kodu, kilit kodu, alarm kodu, kasa kodu, kilit açma kodu",
    login: "kimlik bilgileri, giriş bilgileri",
  },
  others: {
    password: `wachtwoord, toegangscode, parola d'ordine, hasło, hasła, heslo, lösenord, adgangskode, passord, kodeord, salasana,
      jelszó, jelszav, parolă, lozinka, geslo, mật khẩu, kata sandi, κωδικό, κωδικός πρόσβασης, סיסמה, كلمة المرور, رمز عبور, รหัสผ่าน, पासवर्ड`,
    pin: "deurcode, kod pin, kod do drzwi, kod do bramy, kod do domofonu, kod do alarmu, kod do sejfu, codice pin, portkod",
    login: "inloggegevens, credenziali, dane logowania",
  },
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
  şimdi artık şu\\san(?:da)? hâlâ hala yine hep still remains toujours weiterhin bleibt sigue\\ssiendo sigue continua\\ssendo continua
  reste остаётся остается остался прежний по-прежнему всё\\sеще все\\sеще всё\\sещё все\\sещё kaldı è era sarà rimane jest
  brzmi je är er este answer antwort respuesta réponse resposta risposta ответ`;
const particles =
  "是|为|為|成了|改成|改为|改為|换成|換成|变成|變成|设为|設為|设成|置为|置為|新为|(?:还是|還是|仍然是|仍是|依然是|依旧是|一直是|就是|是)(?:老的|旧的|舊的|原来的|原來的|之前的|以前的)?(?:那个|那個|那串)?|は(?:まだ|今も|相変わらず|変わらず|ずっと|今まで通り)?|が|を|って|는|(?:은|는|이|가)\\s?(?:아직|여전히|그대로|계속|지금도)|은|이|가|을|를";
const adverbs = `now still just currently again always simply ahora todavía aún siempre agora ainda sempre jetzt immer noch weiterhin
  nach\\swie\\svor nun maintenant toujours encore теперь сейчас всё\\sеще все\\sеще всё\\sещё все\\sещё ещё еще пока по-прежнему
  по\\sпрежнему снова früher vorher zuvor previously formerly once originally antes avant раньше artık hâlâ hala yine şimdi hep aynı`;
const quotes = "[\\s\"'`«»„“”‘’「『（(*<]{0,4}";
const anyOf = (words: string) => words.trim().split(/\s+/).join("|");

export const link = new RegExp(
  `(?:${signs}|(?:^|[\\s"'\`»）)])(?:${anyOf(verbs)})(?: (?:${anyOf(adverbs)})){0,3}(?=[\\s:«"'\`])|${particles}):?${quotes}$`,
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

/** “Cambié la contraseña de la base de datos a x”: the verb stands before the word, and what the word is for behind it. */
const changing = new Set(
  `change changed set reset rotated updated switched moved cambié cambiado cambió cambiamos cambia puse puesto actualicé
  actualizado restablecí restablecido mudei mudamos troquei trocamos alterei alteramos redefini redefinimos changé
  modifié remis mis remplacé réinitialisé passé поменял поменяла поменяли сменил сменила сменили изменил изменила
  изменили обновил обновила обновили сбросил сбросила сбросили поставил поставила поставили установил установили`.split(
    /\s+/,
  ),
);
const towardsWords = new Set(towards.split(" "));
/** “la base de datos de producción a”, and before the word “changed the new root”. */
const mostBehind = 8;
const mostAhead = 7;

/** Asked of what follows many such words, and so by hand. `before` ends with the word. */
export function isChangedTo(before: string, between: string): boolean {
  const behind = between
    .replace(/["'`«„“‘(*]{1,3}$/, "")
    .trim()
    .toLowerCase()
    .split(" ");
  if (behind.length > mostBehind || !towardsWords.has(behind.at(-1) ?? "")) return false;
  if (/[.,;:!?](?:\s|$)/.test(between)) return false;
  const ahead = before
    .slice(before.search(/[^.;:!?\n]{1,64}$/))
    .toLowerCase()
    // Signs of Markdown and quotes may stand at the verb: “**Changed the password”.
    .split(/[^\p{L}]/u)
    .filter((word) => word !== "");
  return ahead.slice(-mostAhead).some((word) => changing.has(word));
}

/** Right behind a value: it is what the word was set to. Where the verb ends the sentence nothing before the value says so. */
const setTo = `olarak oldu olacak geändert gesetzt zurückgesetzt umgestellt に(?:変更|設定|リセット|変え|変わ|しま|した|なり|差し替え|更新)
  (?:으로|로|\\(으\\)로)[\\s](?:변경|바꾸|바꿨|바뀌|설정|초기화|교체|재설정) 가[\\s]됩`;
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
  cancellation pad eos bos unk mask sep cls special fencing ring public publickey publishable primary foreign partition sort cache
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
