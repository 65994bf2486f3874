import { secretWords } from "./secret-words.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** What joins the words of a sentence. In quotes, which say where it begins and ends, a phrase may hold them as well. */
export const smallWords = setOf(`the a an and or for of to in on by with from key keys
  el la los las un una de del en con por al y o os as um uma no na do da em e le les des du sur et au aux
  der die das den dem ein eine und mit auf im am zu bei beim в на у и с под за к по из ve bir`);

/** What sentences cannot do without, and no list of words for recovery phrases has: BIP 39 has “that”, “this”, “will”. */
export const sentenceVerbs =
  setOf(`is are was were be been not its your has had which but if so we he she it i my our their than
  them these those does did es son que se lo su más como para é são não mais est sont qui ne pas ce plus pour dans
  ist sind nicht dass sich ich wir für von aus nach wird werden не это что как для от мы он она bu da için ile`);

/**
 * What sentences about passphrases are made of, in which the same quotes stand: “enter passphrase for key”, “darf nicht leer
 * sein”. Nobody thinks of a passphrase with them; sentences do without them rarely.
 */
const aboutPhrases =
  setOf(`is are was be been must should can cannot not without that this these those when if then than
  your you we it its only all any once again before after first enter please type choose pick use used using set unset read
  asked given required missing wrong bad incorrect invalid correct confirm repeat change changed minimum maximum characters
  words letters digits long short stored kept see ask prompt file keyring vault manager default empty backup least too weak
  strong blank match matches expired does has have need needs same different something command show
  puede debe debes estar ser tiene demasiado corta corto larga vacía vacío blanco coincide coinciden incorrecta
  obligatoria caracteres mínimo introduce introduzca escribe escriba ingrese ingresa repite olvidaste nueva actual menos
  é não pode deve tem muito curta vazia branco confere incorreta obrigatória digite insira informe repita esqueceu sua seu nova
  est pas peut doit être trop court courte vide correspond correspondent incorrecte obligatoire caractères entrez saisissez
  saisir saisit tapez votre vos nouveau actuel oublié moins écrite
  ist sind nicht darf muss soll kann sein werden wird kurz lang leer stimmt überein falsch ungültig erforderlich zeichen
  mindestens bitte eingeben geben ihr ihre dein deine neues neue altes vergessen wiederholen ändern liegt steht niemals
  не нет может быть должен должна должно слишком короткий короткая пустым пустой совпадает совпадают неверный неверная
  обязательно символов минимум введите ваш ваша новый новая старый забыли повторите записана лежит хранится
  çok kısa boş olamaz olmalı gerekli eşleşmiyor geçersiz yanlış karakter girin giriniz yeni eski değil zorunlu unuttunuz`);
/** Of languages that do not part words, or that end the sentence with the verb. */
const part =
  /[请請须須必需应應输輸错錯]|入力|必須|変更|以上|以内|文字|下さい|ください|ません|ます|こと|もの|とする|です|습니다|세요|십시오|니다|해요|하기|오류|입력|필수|변경|확인|없음|이상/;

/** Whether the word is of a sentence about passphrases, or begins as the name of a secret does. */
export function isOfSentence(word: string): boolean {
  const lower = word.toLowerCase();
  if (aboutPhrases.has(lower) || part.test(lower)) return true;
  for (let length = 4; length <= lower.length; length += 1) if (secretWords.has(lower.slice(0, length))) return true;
  return false;
}
