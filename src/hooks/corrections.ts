/**
 * A correction that the next session should know of says how things are here, and often why. A wish for the next step
 * does not (“no, not yet, first the docs”), and a task may well be full of rules. So what counts are signs of several
 * kinds in one prompt, and one of them must speak of this project or of what the agent did.
 */
interface Sign {
  /** It speaks of this project, or of what was done: rules alone may be a task. */
  readonly isTelling: boolean;
  readonly pattern: RegExp;
}

/** Words of all the languages at once: which one a prompt is in does not matter. */
function words(isTelling: boolean, ...parts: readonly string[]): Sign {
  return { isTelling, pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join("|")})(?![\\p{L}\\p{N}])`, "iu") };
}

const signs: readonly Sign[] = [
  // Sets right, at the beginning.
  {
    isTelling: true,
    pattern:
      /^\W*(?:no|nope|nah|actually|wait|wrong|almost|not quite|hm+|again|stop|hey|careful|sorry|thanks|looks fine|you|that's|that is|those|these|this|nein|nee|fast|falsch|halt|stopp?|achtung|eigentlich|so nicht|vorsicht|non|presque|attention|merci|casi|ojo|não|quase|quasi|ugh|well|why (?:did|would|do) you|small thing|good|this works|please (?:rewrite|redo|revert|undo|put|don't(?! forget)|do not(?! forget)|stop)|bitte nicht|die .{3,30} passt nicht|(?:don't|do not) (?!forget)\p{L}+)(?!\p{L})/iu,
  },
  // We, here.
  words(
    true,
    "we(?:'re| are)?(?! (?:should|could|can|will|need|also|want))",
    "ours?",
    "(?:in|of|for|on) (?:this|that|our) (?:project|repo|repository|codebase|code base|team|workspace|monorepo|cluster|schema|database|domain|company|machine)s?",
    "bei uns",
    "uns(?:ere[mnrs]?|er)",
    "wir",
    "hier",
    "chez nous",
    "nos",
    "notre",
    "(?:dans|de) ce (?:projet|dépôt)",
    "ici",
    "on n'utilise",
    "nuestr[oa]s?",
    "(?:en|de) (?:este|toda?) (?:el |la )?(?:proyecto|repo|web)",
    "usamos",
    "aquí",
    "ahí",
    "aqui",
    "da noi",
  ),
  // Always.
  words(
    false,
    "always|never|every(?:thing|where|body)?|all|any(?:thing)?|only|none|nobody|nothing|as a rule|generally|by convention|on purpose|whatever|whoever|the whole point",
    "immer|nie|niemals|grundsätzlich|jede[rsnm]?|alle[sn]?|nur|kein\\p{L}*|generell|nichts|niemand",
    "toujours|jamais|tout(?:es?|s)?|tous|aucune?|seulement",
    "siempre|nunca|tod[oa]s?|ningún|ninguna?|sólo|sempre|solo|mai",
  ),
  // Must.
  words(
    false,
    "must(?:n't| not)?|ha(?:s|ve) to|not allowed|forbidden|policy|read-?only|not supported|goes? through|belongs?|owned|owns|is generated|generated|comes? from|lives? (?:in|under)|are output|don't(?! forget)|doesn't|isn't|aren't|is the only",
    "muss|müssen|dürfen|darf|verboten|gehör\\p{L}+|komm(?:t|en) (?:aus|von)|läuft|liegen|stehen",
    "il faut|doit|doivent|interdit|réservé|passent?|ne .{1,30} pas|n'est",
    "hay que|debe[n]?|tiene[n]? que|prohibido|no se|es código|son",
  ),
  // Otherwise.
  words(
    true,
    "otherwise|because|or else|out of sync|outage|locked out|that's (?:what|why|how)|breaks?|gets? (?:reverted|lost|overwritten)|ha(?:s|ve) (?:burnt|bitten)|for (?:legal|security)|reverted|useless|instead of|rather than",
    "sonst|weil|damit|statt|sondern|verlangt",
    "sinon|parce que|pour que|au lieu|plutôt",
    "si no|porque|así|en vez|em vez|en lugar",
  ),
  // From now on.
  words(
    true,
    "from now on|(?:in|for) (?:the )?future|you keep|(?:for )?next time|remember(?: that)?|keep in mind|note that|how often|how many times|third time|told you|said (?:before|already|that)|already (?:told|said)",
    "merk dir|in zukunft|künftig|ab jetzt|schon (?:mal )?gesagt|wie gesagt",
    "pour la suite|désormais|à l'avenir|retiens|déjà dit",
    "recuerda|de ahora en adelante|la próxima|ya te|te dije|lembre",
  ),
];
const needed = 2;

/** Corrections by themselves. */
const plain: readonly RegExp[] = [
  /\bi(?:'ve| have)?(?: already| just)? (?:told|said|mentioned|asked)\b.*\b(?:you|before|already|times|that)\b|\b(?:how (?:many times|often) do|like i said|as i (?:said|told|mentioned)|from now on)\b/i,
  /\b(?:don't|do not|never|stop|please stop|quit) (?:touch|edit|us|commit|push|mock|hand-?edit|modify|install|import|hard-?cod|format|delet)(?:e|ing)?\b(?!.*\b(?:yet|for now|until|before|alone)\b)/i,
  /(?<!\p{L})(?:habe? ich (?:dir )?(?:doch )?(?:schon|bereits)|wie gesagt|merk dir|je (?:t'|vous )ai (?:déjà )?dit|te (?:lo )?(?:dije|he dicho)|ya te|já (?:te )?(?:disse|falei)|te l'ho (?:già )?detto)(?!\p{L})/iu,
  // Russian, Chinese, Japanese, Korean
  /^нет[,.:]?\s.*(?:мы|никогда|всегда|здесь|надо|нужно|используем)|(?:это|так) неправильно|я (?:же |уже )*(?:говорил|сказал)|никогда не/i,
  /错了|不是这样|我(?:之前|已经|刚才)?说过|(?:不要|别|禁止|永远不要|请勿)(?:再)?(?:用|使用|改|修改|编辑|动|碰|提交|直接)|我们(?:这里)?(?:用的?是|都用|只用|不用|一直用)/,
  /違います|間違って|ではなく|じゃなくて|(?:前にも|さっき|何度も)言(?:った|いました)|(?:使わ|触ら|編集し|変更し|コミットし)ないで/,
  /아니(?:요|오|야)|틀렸|(?:전에|아까|이미) (?:말|얘기)|(?:쓰지|사용하지|수정하지|건드리지|고치지) 마/,
];

/** A wish about what comes next, or about today. */
const steering =
  /\b(?:tomorrow|later|for now|not yet|another time|never ?mind|today|let's)\b|\b(?:morgen|später|erst(?:mal)?|mañana|luego|después|demain|plus tard|d'abord)\b|завтра|потом|明天|以后|先|明日|あとで|나중에/i;
const longestCorrection = 800;
/** What is shorter says what to do, and not how things are. */
const fewestWords = 5;

/** Whether a prompt corrects what the agent did, so that the next session should know it. */
export function isCorrection(prompt: string): boolean {
  // What somebody else said is quoted.
  const text = prompt
    .trim()
    .replaceAll("’", "'")
    .replaceAll(/"[^"]*"|“[^”]*”|^\[[^\]]*\]\s*/g, " ")
    .trim();
  if (text.length > longestCorrection || steering.test(text)) return false;
  if (plain.some((pattern) => pattern.test(text))) return true;
  // One question after a statement may be the wish to have it mended.
  if (/^[^.!:;]*\?$/.test(text) || text.split(/\s+/).length < fewestWords) return false;
  const found = signs.filter(({ pattern }) => pattern.test(text));
  return found.length >= needed && found.some(({ isTelling }) => isTelling);
}
