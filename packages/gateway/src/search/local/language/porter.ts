const CONSONANT = "[^aeiou]";
const VOWEL = "[aeiouy]";
const CONSONANTS = `${CONSONANT}[^aeiouy]*`;
const VOWELS = `${VOWEL}[aeiou]*`;

// The measure of a stem is how many times vowels are followed by consonants in it.
const MEASURE_ABOVE_0 = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const MEASURE_1 = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`);
const MEASURE_ABOVE_1 = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(?:${CONSONANTS})?${VOWEL}`);
const ENDS_SHORT = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);
const ENDS_DOUBLED = /([^aeiouylsz])\1$/;

const STEP_2 = table(
  "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize ation:ate " +
    "ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log",
);
const STEP_3 = table("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:");
const STEP_4 = table(
  "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ou: ism: ate: iti: ous: ive: ize: ion:",
);

/**
 * The stem of an English word in lower-case ASCII letters.
 *
 * @see M. F. Porter, An algorithm for suffix stripping, Program 14 (1980), with its author's two later changes
 *   (`bli`, `logi`).
 */
export function porterStem(word: string): string {
  if (word.length < 3) return word;
  // A y at the beginning is a consonant.
  const startsWithY = word.startsWith("y");
  let form = startsWithY ? `Y${word.slice(1)}` : word;
  form = stripPlural(form);
  form = stripPast(form);
  if (form.endsWith("y") && HAS_VOWEL.test(form.slice(0, -1))) form = `${form.slice(0, -1)}i`;
  form = replaceEnding(form, STEP_2, MEASURE_ABOVE_0);
  form = replaceEnding(form, STEP_3, MEASURE_ABOVE_0);
  form = replaceEnding(form, STEP_4, MEASURE_ABOVE_1);
  form = stripFinalE(form);
  if (form.endsWith("ll") && MEASURE_ABOVE_1.test(form)) form = form.slice(0, -1);
  return startsWithY ? `y${form.slice(1)}` : form;
}

function stripPlural(form: string): string {
  if (form.endsWith("sses") || form.endsWith("ies")) return form.slice(0, -2);
  return form.endsWith("s") && !form.endsWith("ss") ? form.slice(0, -1) : form;
}

function stripPast(form: string): string {
  if (form.endsWith("eed")) return MEASURE_ABOVE_0.test(form.slice(0, -3)) ? form.slice(0, -1) : form;
  const ending = ["ed", "ing"].find((one) => form.endsWith(one));
  if (ending === undefined) return form;
  const stem = form.slice(0, -ending.length);
  if (!HAS_VOWEL.test(stem)) return form;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (ENDS_DOUBLED.test(stem)) return stem.slice(0, -1);
  return MEASURE_1.test(stem) && ENDS_SHORT.test(stem) ? `${stem}e` : stem;
}

function replaceEnding(form: string, endings: readonly (readonly [string, string])[], measure: RegExp): string {
  const found = endings.find(([ending]) => form.endsWith(ending));
  if (found === undefined) return form;
  const stem = form.slice(0, -found[0].length);
  if (found[0] === "ion" && !/[st]$/.test(stem)) return form;
  return measure.test(stem) ? `${stem}${found[1]}` : form;
}

function stripFinalE(form: string): string {
  if (!form.endsWith("e")) return form;
  const stem = form.slice(0, -1);
  if (MEASURE_ABOVE_1.test(stem)) return stem;
  return MEASURE_1.test(stem) && !ENDS_SHORT.test(stem) ? stem : form;
}

/** Longest endings first: of several that fit, that one counts. */
function table(text: string): readonly (readonly [string, string])[] {
  return text
    .split(" ")
    .map((entry): [string, string] => {
      const [ending = "", replacement = ""] = entry.split(":");
      return [ending, replacement];
    })
    .sort(([left], [right]) => right.length - left.length);
}
