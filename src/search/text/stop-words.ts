// Folded, as they stand in a text: endings such as the t of “don't” are gone. Words that mean something in another of
// these languages, or to programmers (“die”, “hat”, “son”, “mit”, “bin”, “du”) are left out.
const english = `
  a about again also am an and any are aren as at be because been being but by can cannot cant could couldn did didn
  do does doesn doing don dont else ever for from had hadn has hasn have haven having he hence her here hers herself
  him himself his how however i if im in into is isn it its itself ive just may me might must my myself no nor not of
  on or our ours ourselves please shall she should shouldn so some such than that the their theirs them themselves
  then there these they this those though thus to too us very was wasn we were weren what whatever when where whether
  which while who whom whose why will with won would wouldn yet you your yours yourself yourselves`;
const german = `
  aber als auch auf aus bei beim bis bist damit dann das dass der des dich dir ein eine einem einen einer eines fur
  habe haben hatte ich ihm ihn ihr ist ja kann kein keine mein mich mir nach nicht noch nur oder ohne sein seine sich
  sie sind uber und uns unser vom von vor wann warum welche welcher welches wenn wer wie wird wir wo wurde zu zum zur`;
const french = `
  au aux avec ce cette ces dans de elle et il ils je la le les leur mais nous ou pas que qui sont un une vous`;
const spanish = `
  como cual cuando del el ella en esta este las los muy para pero por porque que sobre su sus y ya`;

const words: ReadonlySet<string> = new Set(
  [english, german, french, spanish].flatMap((list) => list.split(/\s+/)).filter((word) => word !== ""),
);

/** Whether a folded word says too little to be searched for, as long as there are others. */
export function isStopWord(word: string): boolean {
  return words.has(word);
}
