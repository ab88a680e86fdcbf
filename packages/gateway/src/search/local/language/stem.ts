import { porterStem } from "./porter.ts";

/** Endings of inflected words, longest first; at least `keep` letters stay. Letters are as `fold` leaves them. */
interface Endings {
  readonly keep: number;
  readonly pattern: RegExp;
}

const ENDINGS: ReadonlyMap<string, Endings> = new Map(
  Object.entries({
    de: endings(4, "innen ern ens em en er es e n s"),
    nl: endings(4, "ingen ing heden sen en es e s"),
    fr: endings(4, "issement issements ement ements euses euse aux ees es ee er ez e s x"),
    es: endings(
      3,
      "amiento amientos imiento imientos mente ciones cion ando iendo ados adas ado ada idos idas ido ida ar er ir es os as o a e s",
    ),
    pt: endings(
      3,
      "amento amentos mente coes cao ando endo ados adas ado ada idos idas ido ida ar er ir oes aos es os as o a e s",
    ),
    it: endings(3, "amento amenti mente zioni zione ando endo are ere ire ato ata ati ate ito ita iti ite o a e i"),
    sv: endings(4, "arnas ernas arna erna orna arne ade ar or er en et na as es a e s t"),
    ru: endings(
      3,
      "иями остями ости ость ами ями ием иях ией ого его ому ему ыми ими ать ять ить еть ешь ах ях ов ев ей ой ый ий " +
        "ая яя ое ее ые ие ым им ом ем ую юю ия ию ет ют ит ат ят а я о е ы и у ю ь й",
    ),
  }),
);

/** Languages with a stemmer of their own. */
export const STEMMED_LANGUAGES: ReadonlySet<string> = new Set(["en", ...ENDINGS.keys()]);

const MOST_REMEMBERED = 50_000;
const remembered = new Map<string, Map<string, string>>();

/**
 * What the inflections of a word share.
 *
 * @param word - folded.
 * @param language - a two-letter code; for one without a stemmer the word stays as it is.
 */
export function stem(word: string, language: string): string {
  let known = remembered.get(language);
  const form = known?.get(word);
  if (form !== undefined) return form;
  if (known === undefined || known.size > MOST_REMEMBERED) {
    known = new Map();
    remembered.set(language, known);
  }
  const made = stemOf(word, language);
  known.set(word, made);
  return made;
}

function stemOf(word: string, language: string): string {
  if (language === "en") return /^[a-z]{3,}$/.test(word) ? porterStem(word) : word;
  const rule = ENDINGS.get(language);
  if (rule === undefined) return word;
  const ending = rule.pattern.exec(word)?.[0] ?? "";
  return word.slice(0, word.length - ending.length);
}

function endings(keep: number, text: string): Endings {
  const ordered = text.split(" ").sort((left, right) => right.length - left.length);
  return { keep, pattern: new RegExp(`(?<=^\\p{L}{${keep},})(?:${ordered.join("|")})$`, "u") };
}
