import { termOf } from "../text/analyse-word.ts";

// Of four letters and more, since shorter words are never corrected; one form of each. Words that are spelled in two
// ways, as “colour”, are left out: each is found by the other.
const english = `
  ability above absolutely accept access accident account acquired across action active actual addition address
  adopted advanced affected afraid after afternoon afterwards against agent agree ahead airport alive allow almost
  alone along already alternative always among amount analysis animal annoying another answer anymore anyone anything
  anyway apart appear apple application applied approach approximately april architecture argument around array arrive
  arrow article aside asleep assistant associated assumed async attached attempt attention attribute audio august aunt
  author automatic autumn available average avoid awake away awesome baby back background ball band bank base basic
  basis basket bath beach bear beat beautiful became become bedroom beer before began begins behind believe belong
  below best better between beyond bike bird birthday bite bitter black blank block blood blue boat body book boot
  border bored born borrow boss both bother bottle bottom bought bound boundary bowl bracket brain branch brave bread
  break breakfast breath bridge bright bring broadcast broke broken brother brought brown browser brush budget buffer
  build built burn busy butter button cake calendar call callback calm came camera camp cancel candidate capture card
  careful carry case cash cast catch cattle cause cell certain chain chair challenge chance change channel chapter
  character charge charts chat cheap check cheese chicken child children choice choose christmas church circle
  circumstances city class classic clean clear clever click client climb clock close clothes cloud coat code coffee
  coin cold collection column combined come comfortable comma command comment common community company compare compile
  complain complete complex components composition computer concept concrete condition config confused connected
  consider consists console constant constructed contact contain content context continue contract contributed control
  convention convert cook cookie cool copy core corn corner correct cost count counter country couple course cousin
  cover crash crazy cream create creation credit cross crowd culture curious current cursor customer cute cycle daily
  dance danger dark dashboard data database date daughter dead deal dear debug december decide decimal decision
  declared dedicated deep deeply default defensive defined definitely delete deliver demand depending depth derived
  describe design desk desktop destroy detail determine development device diagram dialog different difficult digit
  dinner direct directory dirty disable disappear discovered discovery discuss disk display distinct distributed
  docker doctor document dollar domain done door double doubt down download draft drag draw dream dress drew drink
  drive driver drop dropdown drove duplicate during dust duty each earlier early earn earth easier easily east easy
  edit editor education effect effort eight either element eleven email emotion empty enable encode enemy energy
  engine enjoy enough ensure enter entire entry enum environment equal equivalent error escape especially even evening
  event eventually every everybody everyone everything everywhere evidence exact exam example excellent except excited
  exercise exist exit expanded expect expensive experience expert explain export exposed express extended extension
  external extra extremely face fact failed failure fair fall false family famous farm fashion fast faster father
  fault fear feature february feed feel felt fence fetch fewer field fifteen fight file fill filter final financial
  find fine finger finish fire first fish flag flat flew flight float floor flow flower focus folder follow font food
  foot football footer force foreign forest forever forget forgot form format forty forward fought found four fourth
  frame free freedom frequently fresh friday friend front fruit full fully function fund funny further future gallery
  game garden gate gave general generate gentle gift girl give given glad glass global goal gold gone good gotten grab
  grade graduate grandfather grandmother granted graph grass great greater green grew grid grocery ground group grow
  growth guard guess guest guide guideline guitar hair half hand handle hanging happen happy hard hash hate head
  header headline health heard heart heat heavy height hello help hero hidden hide high higher highway hike hill hire
  history hobby hold hole holiday home honest hope horse hospital host hotel hours house hover huge human hundred
  hungry hunt hurry hurt husband icon idea identity image imagine immediate impact import improve include income
  increase indent independent index indicate individual information initial inner input insert inside inspired
  installed instance instead integer intended interested internal interview introduced investigation island issue item
  january jeans join joke journey json juice july jump june keep kept keyboard kick kill kind kitchen knee knew knife
  knock know known label lady lake land language laptop large larger last later laugh launch layout lazy lead leaf
  learn least leave left legend length less lesson letter level library life lift light like limit line link lion list
  listen live load local located lock logo lonely long longer look loop loose lose loss lost loud love lower luck
  lucky lunch machine made magic main maintain maintenance major make mall manage manner many march margin mark market
  marriage married master match materials matter maximum maybe meal mean meant meat media medicine medium meet member
  memory mention menu merge mess message method middle milk million mind mine minimum minor minute mirror missed
  mistake mobile modal mode model modern modified module moment monday money monitor monkey month mood moon more
  morning most mother mount mountain mouse mouth move movie much multiple music name narrow native nature navigation
  near necessary neck need negative neither nephew nervous nested network never newly news next nice niece night nine
  nobody node noise none noon nope normal north nose note notebook nothing notice november null number object observed
  obvious occur ocean october offer office official often okay older oldest online only open operate opinion opposite
  option orange order organizations origin other otherwise outer output outside over overview owner pack page paid
  pain paint pair panel paper parallel parameter parent park parse part particular party pass password past paste path
  patient pattern pause peace pencil people percent perfect perform perhaps period permission person phase phone photo
  piano pick picture piece pixel pizza place plain plan plane plant plate platform play player pleasure plugin plus
  pocket poem point police policy polite pool poor popular popup port position possible post potato potential power
  prefer prefix pregnant prepared present press pretty prevent preview previous price pride print private prize
  probably problem process produce product profile program project promise promote prompt proper property protect
  proud provide public published pull pure purpose push quality quarter queen query questions queue quick quiet quite
  race radio rain raise ranch random range rarely rate rather reach read readable reader ready real reality really
  reason receive recent recipe recognition record redirect reduce refactor refers refresh refused regarded regex
  region register regular rejected related relax release reload remain remember remote removed rename render rent
  repair repeated replace report represent request require reserve reset resize resolution resources respect response
  rest restart restaurant restored result retained retry return revert review revision rich ride right ring rise risk
  river road rock role roll room roots rough round route rude rule runner rush safe safety said sale salt same sample
  sand saturday save scale scared scheduled schema scheme school science score screen script scroll search seat second
  secret section secure seem seen seldom selection sell send sent sentence separate september sequence series serious
  serve service session seven several shadow shake shape share sheep shell shift ships shirt shoe shoot shop short
  shoulder shout show shower shown shut sick side sidebar sign signal significant silence silly silver similar simple
  simply since sing single sister site sixteen size skill skin sleep sleepy slept slide slightly slow slowly small
  smaller smart smell smile smoke smooth snack snapshot snippet snow soap soccer social sock soft software soil sold
  soldier solid solution somebody someone something sometimes somewhere song soon sorry sort soul sound soup source
  south space speak special specific speed spell spend spent spinner split spoke spoon sport spring square stack staff
  stage stairs stand standard star start state statement static status stay steal step stick still stomach stone stood
  stop storage store storm story straight strange strategy stream street stress string strip strong structure stuck
  student study stuff stupid style subject submit succeeded success suddenly suffix sugar suggest suit summary summer
  sunday sunny super supper supply support suppose sure surface surprise sweet swim switch syntax system table tail
  take taken talent talk tall target task taste taught teach teacher team technical teeth tell template tennis
  terminal terms terrible test text thank theme therefore thick thin thing think third thirsty thirty thought thousand
  threat three throat through throw thursday ticket tight till time timer tiny tired title today together toggle told
  tomorrow tongue tonight took tools tooltip tooth total touch tough tour towards towel town track trade traffic train
  transfer translation transport travel treated tree trick trim trip trouble truck true truly trust truth tuesday
  tunnel turn tutorial twelve twenty twice type typical typo ugly uncle under understand undo unfortunately unhappy
  union unique unit universal university unknown unless until unused update upgrade upload upon upset usage user usual
  vacation valid valley value variable various vegetable vehicle verify version video view village visible visit
  visual voice vote wage wait wake walk wall want warm warn wash watch water wave weak wear weather website wednesday
  week weekend weight weird welcome well went west wheel whereas whisper white whole widget width wife wild wind
  window wine wing winter wise wish within without woke woman women wonder wood word wore work worker world worn worry
  worse worst worth wrap write writer written wrong yaml year yellow yesterday young younger zero zone zoom`;
// Folded, as they stand in a text.
const german = `
  andere arbeiten bald beide bekommen besser bitte bleiben brauchen danke darum dauert denke deshalb diese dort durch
  eben eher eigentlich einfach einige einmal etwas fehlt fertig finden fragen freitag ganz geben gehen geht genau
  gerade gerne gestern gibt glaube gleich gross gute halten heute hier hilfe immer irgendwie jede jemand jetzt kannst
  kaum klar klein kommen konnen kurz lange lassen leider letzte machen manchmal mehr meine meinst mittwoch moglich
  montag morgen muss nachste neben nehmen nein neue nichts niemand nochmal oben passiert passt richtig sagen schauen
  schlecht schnell schon schreiben sehen sehr seit selbst sieht soll sollte sonst stelle stimmt suche trotzdem unten
  vergessen versuchen viel vielen vielleicht vorher wahrscheinlich warten weil weiss weiter wenig werden wichtig
  wieder wirklich wissen woche wollen zeigen zeit ziemlich zuerst zuletzt zusammen zwei zwischen`;

/** Made for the first word that is not found: most searches need none. */
let terms: ReadonlySet<string> | undefined;

/** Whether everybody knows how this word is spelled: it is no typing error of another one, by its term. */
export function isCommonTerm(term: string): boolean {
  terms ??= new Set(`${english} ${german}`.trim().split(/\s+/).map(termOf));
  return terms.has(term);
}
