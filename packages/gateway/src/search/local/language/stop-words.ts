import { fold } from "./fold.ts";

/** Words that say nothing about the subject, by language. They also tell what a text is written in. */
const WORDS: Readonly<Record<string, string>> = {
  en:
    "a about am an and any are as at be been but by can could did do does doing for from had has have how i if in " +
    "into is isn it its me my no not of on or our should so some such t s that the their them then there these they " +
    "this those to was we were what when where which who whom whose why will with would you your",
  de:
    "aber als am an auf aus bei bin bis da das dass dein dem den der des die dies diese dieser doch du durch ein eine " +
    "einem einen einer eines er es für hat haben hatte ich ihr im in ist ja kann kein können man mein mich mir mit " +
    "nach nicht noch nur ob oder ohne sein seine sich sie sind so über um und uns unter vom von vor war was wegen wenn wer " +
    "werden wie wir wird wo wurde zu zum zur warum welche welcher welches",
  fr:
    "à au aux avec ce ces cet cette dans de des du elle elles en est et être eu il ils je la le les leur leurs lui ma " +
    "mais me mes mon ne nos notre nous on ou où par pas pour qu que quel quelle qui sa sans se ses si son sont sur ta " +
    "te tes ton tu un une vos votre vous comment pourquoi quand d l n s c j",
  es:
    "a al algo como con cual cuando de del desde donde el ella ellos en entre era es esa ese eso esta este esto están " +
    "fue ha hay la las le les lo los más me mi muy no nos o para pero por porque que qué quien quién se sin sobre son su sus " +
    "también te tiene todo un una uno y ya cómo cuál cuándo",
  it:
    "a ad al alla allo anche che chi ci come con cosa da dal dalla dei del della delle di e è ed gli ha hanno i il in " +
    "io la le lei lo loro lui ma mi nel nella no noi non o per perché più quale quando quello questo se si sono su sul " +
    "suo tra un una uno voi",
  pt:
    "a ao aos as com como da das de do dos e é ela ele em entre era essa esse está este eu foi há isso já lhe mais mas " +
    "me não na nas no nos o os ou para pela pelo por porque qual quando que quem se sem seu sua são só também te tem um uma você",
  nl:
    "aan al als bij dat de der deze die dit door een en er geen had heb heeft het hij hoe ik in is je kan maar me met " +
    "mijn naar niet nog of om ons ook op over te tot uit van voor waar wat we wel wie wij worden wordt ze zich zijn zo waarom",
  sv:
    "att av de den det där du efter en ett från för gör har hon hur han i inte jag kan man med mig men mot när och om på " +
    "samt ska sig som så till under upp ur vad var vi vid vara eller är än",
  ru:
    "а без более бы был была были было в вам вас весь во вот все вы где да для до его ее если есть же за и из или им их " +
    "к как ко когда кто ли мы на не него нет но ну о об он она они оно от по под при с со так также там те то того тоже " +
    "только у уже чем что чтобы эта эти это этот я",
};

const folded = new Map(
  Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(" ").map(fold))] as const),
);

/** Whether a folded word is one in one of these languages. */
export function isStopWord(word: string, languages: Iterable<string>): boolean {
  for (const language of languages) if (folded.get(language)?.has(word) === true) return true;
  return false;
}

/** All languages whose stop words are known, with them. */
export const STOP_WORDS: ReadonlyMap<string, ReadonlySet<string>> = folded;
