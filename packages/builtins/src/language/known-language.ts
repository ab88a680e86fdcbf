const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** Returns whether a text is a BCP 47 tag, such as `de` or `pt-BR`, of a language that has a name. */
export function isKnownLanguage(tag: string): boolean {
  const language = languageOf(tag);
  return language !== undefined && language !== "und" && names.of(language) !== undefined;
}

/**
 * Returns the ISO 639-1 code for the name of a language, in English or in the language itself; undefined for an unknown
 * name.
 */
export function languageNamed(name: string): string | undefined {
  const wanted = name.trim().toLowerCase();
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isKnownLanguage);
  return codes.find((code) => [names.of(code), ownNameOf(code)].some((one) => one?.toLowerCase() === wanted));
}

function languageOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return undefined;
  }
}

function ownNameOf(code: string): string | undefined {
  return new Intl.DisplayNames([code], { type: "language", fallback: "none" }).of(code);
}
