/** Of a vocabulary in which few words are common and most are rare, as in languages (a Zipf-like law). */
const WORDS = 20_000;
const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu".split(" ");

/** Running text that nobody wrote, in paragraphs; the same for the same length. */
export function longText(characters: number): string {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const parts: string[] = [];
  for (let length = 0; length < characters; ) {
    const words = Array.from({ length: 6 + Math.floor(random() * 20) }, () =>
      wordOf(Math.floor(WORDS * random() ** 3)),
    );
    const sentence = `The ${words.join(" ")}.${random() < 0.15 ? "\n\n" : " "}`;
    parts.push(sentence);
    length += sentence.length;
  }
  return parts.join("").slice(0, characters);
}

function wordOf(number: number): string {
  let word = "";
  for (let rest = number + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? "";
  }
  return word;
}
