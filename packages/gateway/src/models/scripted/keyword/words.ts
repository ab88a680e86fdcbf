/** A word of a text, where it stands, and what it is compared by. */
export interface Word {
  readonly text: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

/** Splits text at everything but letters and digits, and inside snake_case and camelCase names. */
export function readWords(text: string): readonly Word[] {
  return [...text.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{L}+|\p{N}+/gu)].map((match) => ({
    text: match[0],
    stem: stem(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The stems of a text without words that say nothing about its subject. */
export function contentStems(text: string): ReadonlySet<string> {
  return new Set(
    readWords(text)
      .map((word) => word.stem)
      .filter((word) => word.length > 1 && !STOP_STEMS.has(word)),
  );
}

/**
 * A form that the inflections of an English word share, good enough to compare words by: `shipping`, `shipped` and
 * `ships` are `ship`.
 */
export function stem(word: string): string {
  let form = word.toLowerCase();
  if (form.length <= 3) return form;
  if (form.endsWith("ies")) form = `${form.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(form)) form = form.slice(0, -2);
  else if (/[^su]s$/.test(form)) form = form.slice(0, -1);
  if (form.length > 5) form = form.replace(/y$/, "").replace(/(?:ing|ed|er|or|(?<!ss)ion|ment)$/, "");
  if (/([bdfgklmnprt])\1$/.test(form)) form = form.slice(0, -1);
  return form.length > 3 ? form.replace(/e$/, "") : form;
}

/** Whether a word says nothing by itself. */
export function isStopWord(word: string): boolean {
  return STOP_STEMS.has(stem(word));
}

const STOP_STEMS: ReadonlySet<string> = new Set(
  (
    "a about all also am an and any are as at be been but by can could did do does for from had has have how i if in " +
    "into is it its just like me my need no not of on one only or our out per please so some such than that the their " +
    "them then there these they this to up us use used user using via want was we were what when which who will with " +
    "would you your given return returns tool value type name id number"
  )
    .split(" ")
    .map(stem),
);

const SYNONYM_GROUPS: readonly (readonly string[])[] = [
  "cost price quote fee estimate",
  "ship shipping deliver delivery freight parcel",
  "stock inventory available availability warehouse",
  "send email mail message notify notification chat post",
  "weather forecast temperature rain",
  "time clock hour date day today now weekday tomorrow",
  "calendar meeting appointment schedule book event slot reserve",
  "customer client account",
  "calculate calculator compute math arithmetic evaluate",
  "summary summarize summarizer summarise shorten",
  "web internet online",
  "remove delete cancel",
  "create open add new make file register",
  "update change set edit modify",
  "database sql query table record row",
].map((group) => group.split(" ").map(stem));

const synonyms = new Map<string, Set<string>>();
for (const group of SYNONYM_GROUPS) {
  for (const word of group) {
    const known = synonyms.get(word) ?? new Set<string>();
    for (const other of group) known.add(other);
    synonyms.set(word, known);
  }
}

/** Whether one of the stems means about the same as the word. */
export function hasSynonym(word: string, stems: ReadonlySet<string>): boolean {
  const known = synonyms.get(word);
  if (known === undefined) return false;
  for (const candidate of known) if (candidate !== word && stems.has(candidate)) return true;
  return false;
}

const stemSet = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(stem));

/** Verbs that only look, in questions and in tool names. */
export const READING_VERBS = stemSet(
  "lookup look find get fetch show search check track locate where status list see read view retrieve",
);

/** Verbs of tool names that change something: such a tool is called only for a question that says so. */
export const ACTING_VERBS = stemSet(
  "cancel delete remove refund send create book update pay charge transfer add set post notify schedule buy place " +
    "submit approve change move close reset disable enable write insert execute run start stop deploy",
);
