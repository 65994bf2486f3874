/** The languages that the guard reads, and the others, of which it knows a few words. */
type Language = "en" | "zh" | "es" | "pt" | "ru" | "ja" | "de" | "fr" | "ko" | "tr" | "others";

/**
 * `password`: people choose it. `generated`: a machine made it. `pin`: digits alone. `code`: digits, or a few letters
 * among them, that let somebody in once or in an emergency. `login`: a name, and behind it a password; or one value that
 * stands for both. `account`: only where both follow.
 */
export type WordKind = "password" | "generated" | "pin" | "code" | "login" | "account";

/** Whether a person may have chosen the value, or could have: it may be short. */
export function isChosen(kind: WordKind): boolean {
  return kind === "password" || kind === "code";
}

export interface SecretWord {
  readonly word: string;
  readonly language: Language;
  readonly kind: WordKind;
}

const englishKeys = `api|access|private|secret|signing|encryption|master|auth|account|app|shared|preshared|setup|deploy|license|admin|management|\
service|integration|webhook|unseal|activation|ingest|ingestion|subscription|restricted`;

/** What codes of digits open. */
const doors = `door|gate|keypad|unlock|lock|lockbox|alarm|entry|entrance|building|elevator|garage|locker|disarm|intercom`;

/**
 * What people call a secret, with the mistakes that they often make in it. `{a|b}` stands for either. Endings may follow:
 * `парол` is “пароля” as well. Marks may be left out by the writer: `código` is “codigo” as well.
 */
const table: Readonly<Record<Language, Partial<Record<WordKind, string>>>> = {
  en: {
    password: `password, passwd, pass{| |-|_|.}phrase, pass{| |-}code, secret phrase, pwd, pass, pw, p/w, psw, pswd, pword, passwrd, pasword, passwrod, passwored,
      passowrd, pssword, passord, psswd, pswrd, paswd, storepass, keypass, psk, {wifi|wi-fi|wlan|wpa|wpa2|network}{ |-}key, {bind|root|db|admin|user}pw,
      {db|root|admin|user|smtp|mail}pass, security answer, {security|secret} question`,
    generated: `secret, token, {${englishKeys}}{| |_|-|.}key, key {to|for|of} the api`,
    code: `{access|backup|recovery|verification|security|login|sign-in|emergency|rescue|scratch|authentication|one-time|one time|onetime|single-use|
      otp|2fa|mfa|sms} code`,
    pin: `pin, pin{ |-|}code, pin number, puk, puk{ |-}code, {${doors}} code, {lock|safe|locker|padlock} combination, combination {lock|for the|of the|to the}`,
    login: `credential, creds, login, basic auth, {account|login|connection|sign-in|access} {details|data|info|information}, user{|name}{ and |/| / }password,
      user/pass`,
    account: "account, access data, ftp, sftp, router, nas, server, vpn",
  },
  zh: {
    password: "密码, 密碼, {密码|口令}短语, {密碼|口令}短語, 口令, 暗号, 暗號, 密语, 解压码",
    generated: "密钥, 密鑰, 秘钥, 秘鑰, 金鑰, 令牌, 權杖, 私钥, 私鑰, 凭证, 憑證",
    code: `{访问|存取|通行|授权|提取|备用|备份|恢复|验证|动态|安全|应急|救援|登录|一次性}{码|代码}, {訪問|存取|通行|授權|提取|備用|備份|恢復|驗證|動態|
      安全|應急|登入}碼`,
    pin: "pin码, pin碼, puk码, 门禁码, {开门|開門|解锁|解鎖}码, {開門|解鎖}碼, {门禁|门锁|保险箱|保险柜|大门}密码, 密码锁",
    login: `{账|帐|帳}{号|戶|户|號}{|和|、|及|/}密{码|碼}, 账密, 用户名{|和|、|及|/}密码, 凭据, 憑據, 登{录|錄|入}凭证, {登录|账号|帐号|账户|帐户|连接|接入|访问|登陆}信息,
      {登入|帳號|帳戶|連線|連接}資訊`,
    account: "服务器, 伺服器, 无线网, 路由器, 账号, 帐号, 帳號, 账户, 帐户, 帳戶, 登录, 登錄, 登入",
  },
  es: {
    password: `contraseña, contrasenia, contrasenya, contraceña, contaseña, contrseña, la contra, frase de {paso|contraseña|acceso}, frase {secreta|clave},
      palabra {clave|secreta}, pregunta {de seguridad|secreta}, clave`,
    generated:
      "llave, secreto, ficha de acceso, clave {|de |de la }api, clave {secreta|privada|de acceso|de cifrado|de firma}",
    code: `código{|s} de {acceso|respaldo|recuperación|verificación|seguridad|emergencia|rescate|un solo uso|uso único|copia de seguridad|
      inicio de sesión|autenticación}`,
    pin: "código pin, clave pin, puk, combinación, {clave|contraseña} {de la alarma|de la caja fuerte|de la puerta}, código {de la puerta|de entrada|de desbloqueo|de la alarma|del portal|de la caja fuerte}",
    login:
      "credenciales, datos de {acceso|conexión|la cuenta|inicio de sesión}, {usuario|login} {y|/} {contraseña|clave}",
    account: "servidor, cuenta, acceso, usuario",
  },
  pt: {
    password:
      "senha, palavra{-| }passe, frase{-| }{senha|passe}, frase secreta, frase de acesso, palavra secreta, pergunta {de segurança|secreta}",
    generated: "chave, segredo",
    code: `código{|s} de {acesso|backup|recuperação|verificação|segurança|emergência|uso único|reserva|login|autenticação|resgate}`,
    pin: "código pin, puk, combinação, senha {do cofre|do alarme|da porta|do portão}, código {da porta|de entrada|do portão|de desbloqueio|do alarme|do cofre}",
    login:
      "credenciais, dados de {acesso|conexão|ligação|login|início de sessão}, dados da conta, {usuário|utilizador|login} {e|/} {senha|palavra-passe}",
    account: "servidor, conta, acesso, usuário, utilizador",
  },
  ru: {
    password: `парол, пароли, пороль, порол, парль, праоль, пасс, пассворд, {кодов|ключев|парольн|секретн}{ая|ой|ую} фраз, кодовое слово, секретное слово,
      {секретный|контрольный} вопрос`,
    generated: "ключ, токен, секрет",
    code: `код доступа, коды доступа, {резервн|одноразов|аварийн|запасн|проверочн}{ый|ые|ых|ого|ым} код, код{|ы} {восстановления|подтверждения|безопасности|входа}`,
    pin: `пин-код, пинкод, пин, пук-код, код от, комбинация, пароль от {сейфа|двери|сигнализации}, код {домофона|двери|подъезда|разблокировки|сейфа|сигнализации|замка}`,
    login: `учётные данные, учетные данные, логин и парол, логин/парол, {данные|реквизиты} {доступа|для входа|для доступа|для подключения|входа|
      подключения|учётной записи}, креды`,
    account: "сервер, вайфа, роутер, учётк, учетк, доступ, аккаунт, логин, вход",
  },
  ja: {
    password: `パスワード, パス, 解凍パス, ログインパス, 合言葉, 合い言葉, パスフレーズ, パスコード, wi-fiのパス, wifiのパス, wi-fiパス, wifiパス, zipのパス, パスワ, {仮|初期|共通|管理}パス,
      暗号フレーズ, 秘密の質問`,
    generated: "キー, トークン, シークレット, 秘密鍵, 鍵",
    code: `{アクセス|バックアップ|リカバリー|リカバリ|ワンタイム|セキュリティ|復旧|回復|確認|認証|予備|緊急|ログイン}コード, 認証番号, 確認番号`,
    pin: "暗証番号, pinコード, pin番号, puk, ダイヤル番号, 解除コード, ロック解除番号, 入館コード, ドアコード, 入室コード, 開錠番号, 解錠番号",
    login:
      "{接続|ログイン|認証|アカウント|アクセス|サインイン|ログオン}情報, クレデンシャル, id{と|/|・|、}パスワード, idパス",
    account: "サーバ, ルーター, アカウント, ログイン, ユーザー",
  },
  de: {
    password:
      "passwort, passwörter, passwrot, pasword, passwot, paßwort, passwordt, kennwort, kennw., kenwort, losungswort, sicherheitsfrage",
    generated: "schlüssel, schluessel, zugriffstoken, geheimnis",
    code: `{zugangs|zugriffs|wiederherstellungs|sicherheits|bestätigungs|verifizierungs|notfall|ersatz|rettungs|anmelde|login|einmal|backup|freischalt}{|-}code,
      backup code`,
    pin: "pin-nummer, puk, zahlenschloss, zahlenkombination, geheimzahl, {tür|entsperr|tor|alarm|tresor|haustür|schließfach|eingangs}code",
    login:
      "{zugangs|anmelde|verbindungs|konto|login|account|benutzer}daten, {benutzer|nutzer|user} und {passwort|kennwort}",
    account: "zugang, zugänge, konto, benutzer, anmeldung",
  },
  fr: {
    password: `mot{|s} de pass{e|}, mot{|s} de pase, motdepasse, mdp, phrase {secrète|de passe|de sécurité}, code secret, code wi{|-}fi, question {secrète|de sécurité}`,
    generated: "clé, clef, jeton, cle {|d'}api, cle {secrete|privee|d'acces}",
    code: `code{|s} {d'accès|de secours|de récupération|de vérification|de sécurité|de sauvegarde|de connexion|d'urgence|à usage unique|unique}`,
    pin: "code pin, code puk, combinaison, digicode, code {de la porte|du portail|d'entrée|de l'alarme|de déverrouillage|du coffre|de l'immeuble|porte}",
    login:
      "identifiant{|s}{| et mot de passe}, {données|infos|informations|paramètres|détails} de {connexion|compte}, coordonnées de connexion",
    account: "serveur, compte, accès, connexion, utilisateur",
  },
  ko: {
    password: "비밀번호, 비밀 번호, 패스워드, 암호, 비번, 패스프레이즈, 패스 프레이즈, 암호{| }문구, 암호문",
    generated: "키, 토큰, 시크릿",
    code: `{접속|액세스|접근|백업|복구|일회용|인증|보안|확인|비상|로그인|예비}{| }코드, 인증{| }번호, 접속{| }번호`,
    pin: "핀번호, pin 번호, pin번호, 핀 번호, puk, {출입|출입문}{| }코드, 출입번호, {현관|금고|도어락|출입문}{| }{비번|비밀번호}, 도어락 번호, {경보|보안|잠금|알람}{| 해제}{| }코드",
    login: "{인증|로그인|계정|접속|연결|접근}{| }정보, 자격{| }증명, {아이디|id}{/|와 |랑 }{비밀번호|비번}",
    account: "서버, 와이파이, 공유기, 계정, 로그인, 접속, 아이디",
  },
  tr: {
    password: "şifre, sifre, parola, parolo, şfire, {gizli|parola|şifre} cümle, gizli kelime",
    generated: "anahtar, belirte, jeton, sırrı, gizli bilgi",
    code: `{erişim|yedekleme|kurtarma|doğrulama|güvenlik|onay|acil durum|giriş|yedek}{| }kod, tek kullanımlık kod`,
    pin: "pin kodu, puk, {kapı|kapının|kilit|alarm|kasa|kilit açma} kodu, {kasa|kapı|alarm|kilit} şifre",
    login: "{kimlik|giriş|bağlantı|hesap|oturum|erişim} bilgileri, kullanıcı adı ve {şifre|parola}",
    account: "sunucu, hesap, hesab, kullanıcı, giriş, erişim",
  },
  others: {
    password: `wachtwoord, toegangscode, parola d'ordine, hasło, hasła, heslo, lösenord, adgangskode, passord, kodeord, salasana,
      jelszó, jelszav, parolă, lozinka, geslo, mật khẩu, kata sandi, κωδικό, κωδικός πρόσβασης, סיסמה, كلمة المرور, رمز عبور, รหัสผ่าน, पासवर्ड`,
    pin: "deurcode, kod pin, kod do {drzwi|bramy|domofonu|alarmu|sejfu}, codice pin, portkod",
    login: "inloggegevens, credenziali, dane logowania",
  },
};

/** Scripts that put no blank between words, or put particles right behind them. */
export const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** `{a|b}c` is `ac` and `bc`. */
export function alternativesOf(written: string): string[] {
  const [whole, before = "", choice = "", after = ""] = /^([^{]*)\{([^}]*)\}(.*)$/s.exec(written) ?? [];
  if (whole === undefined) return [written];
  return choice.split("|").flatMap((one) => alternativesOf(`${before}${one.replace(/^\s*\n\s*/, "")}${after}`));
}

const longEnoughWithoutMarks = 6;

/** Words of several parts are names as well, `mot_de_passe`, `frase-secreta`; and marks are left out: `codigo de acceso`. */
function namesOf(written: string, language: Language): string[] {
  if (language === "others" || !/^[\p{Script=Latin}\P{L}]{1,60}$/u.test(written)) return [written];
  const bare = written.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("ı", "i").replaceAll("ß", "ss");
  const names = [bare.replaceAll(/[ ']/g, "_"), bare.replaceAll(/[ ']/g, "-")].filter((name) => name !== bare);
  return [...new Set([written, ...(written.length >= longEnoughWithoutMarks ? [bare] : []), ...names])];
}

/** By how it is written, in both ways that Unicode has for letters with a mark. */
export const secretWords: ReadonlyMap<string, SecretWord> = new Map(
  (Object.keys(table) as Language[]).flatMap((language) =>
    (Object.keys(table[language]) as WordKind[]).flatMap((kind) =>
      listed(table[language][kind] ?? "").flatMap((one) =>
        [...namesOf(one, language), ...(isCommon(kind) ? [one.normalize("NFD")] : [])].map(
          (word) => [word, { word, language, kind }] as const,
        ),
      ),
    ),
  ),
);

/** The table of anchors is made at the first write: each word costs there. */
function isCommon(kind: WordKind): boolean {
  return kind === "password" || kind === "generated";
}

function listed(words: string): string[] {
  return words.split(",").flatMap((one) => alternativesOf(one.trim()));
}

/**
 * What stands right before a value: a sign, the verb that says what it is, or a particle that marks it. The languages
 * share one list: notes mix them, and none of these is a word of the other languages that a value could follow.
 */
const signs = "[:：=＝→⇒➜➔➡⟶]|[-=]>|[-–—~](?=\\s)|——";
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
  (?:으로|로|\\(으\\)로)[\\s](?:변경|바꾸|바꿨|바꿈|바뀌|바뀜|설정|초기화|교체|재설정) 가[\\s]됩`;
export const setAfter = new RegExp(`^["'\`»”」』]?[\\s]?(?:${anyOf(setTo)})`, "u");

/** Whose it is: “for the gate”, “du serveur”, and in Russian by the case alone. What follows is the value, as if it stood beside the word. */
const prepositions = `for of on at from with to in de del do da du des d' für vom von zu des der от для к на pour sur
  para no na código için`;
/** Which of them it is, in languages that say so behind the word: “secret client x”, “mdp provisoire x”. The value stands beside them. */
const kinds = `provisoire temporaire initial temporal temporária temporário provisória provisório inicial padrão
  predeterminada временный новый tymczasowe client cliente secret secreta secreto privada privado privé privée admin root actuel actuelle actual atual
  nuevo nueva novo nova maître maestra mestra`;
const which = new RegExp(`^ (?:${anyOf(kinds)})(?=\\s)`, "iu");
export const owner = new RegExp(
  `^(?:[\\p{L}]{0,8} {0,2}(?:${anyOf(prepositions)}) [\\p{L}\\w.'@/-]{1,30}(?: [\\p{L}\\w.'@/-]{1,24}){0,2},?|[\\p{L}]{0,3} \\p{Script=Cyrillic}{3,20})\\s${quotes}$`,
  "iu",
);

export function withoutKind(between: string): string {
  return between.replace(which, "");
}

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
const about = `refresh count counts counter length len size limit limits budget usage rate name names id ids uuid hash hashes
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
