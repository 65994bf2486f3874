import { termOf } from "../text/analyse-word.ts";

/**
 * What stands in prompts about anything: what to do, how much, how well and when, and the things that all programs are
 * made of. A note that shares only these with a prompt is about something else.
 */
const english = `
  able above actual actually add added after ahead almost already alright always another answer anything apply around
  ask asked available away awesome back bad became become before began begin behind below best better between big
  bigger bit both break bring broke broken brought bug build built call came care case change check choose chose class
  clean clear code come command comment commit common complete confirm consider console continue convert copy correct
  create current currently data debug default delete detail did difference different directly display done down each
  easier easy edit either end enough error even every everything exactly example exist expect explain extra fail far
  faster feature feel felt few field file finally find fine finish first fix folder follow forget forgot format found
  full function further gave general generate get give go gone good got great guess handle happen happy hard hello
  help hey hi high higher hope idea implement implementation import improve include inside instead interest issue item
  job keep kept kind knew know known large larger last later latest least leave left less let lets like likely line
  list little load log long longer look lot low lower made main make many maybe mean meant mention merge method mind
  minor miss moment more most move much name need never new next nice none nope nothing now number object off often ok
  okay old once one only open option other out over own page parameter part perfect perhaps place plus point possible
  prefer pretty print probably problem proceed project proper properly pull push put question quick quickly quite ran
  rather read ready real really reason refactor regard remember remove rename repeat replace result return revert
  review rid right run said same sample save saw say second see seem seen select send sent separate set several short
  shorter show shown similar simple simply since single size slower small smaller solution somehow something soon
  sorry sort spent split start statement step still stood stop string suggest summarise summarize summary sure switch
  take taken talk task tell test text thank thanks thing think third thought time today together told tomorrow took
  top total touch towards true try turn two type understand undo unit until up update use useful user usual valid
  value variable various version via view wait want watch way well went whatever whole wish within without wonder word
  work worth write written wrong wrote year yep yes yesterday
  branch bugfix bump chore docs feat hotfix init initial wip`;
const german = `
  aber alle alles also andere anders anschauen bitte danke dank den dein deine dem denn diese diesem diesen dieser
  dieses doch du eher einfach einmal erst erste etwas fertig geht gerne gibt gleich gut hallo hat hier immer ja jede
  jetzt kannst klar konnen kurz lass los mach mache machen macht mal man mehr mit mochte muss mussen nein neu neue nun
  nochmal passt schau schon schreib sehen sehr sieht soll sollen sollte super tun viel vielen warte was weg weiter
  weil wieder will wo zeig zeige zuerst zwei`;

const terms: ReadonlySet<string> = new Set(`${english} ${german}`.trim().split(/\s+/).map(termOf));

/** Of the term of a word: so it holds for all its forms. */
export function isWeakTerm(term: string): boolean {
  return terms.has(term);
}
