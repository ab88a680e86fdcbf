import { CalculatorError } from "./calculator-error.ts";

/**
 * The number format of a locale, with the digits 0 to 9. All kinds of spaces and apostrophes are normalised to the
 * plain ones.
 */
export interface NumberStyle {
  readonly locale: string;
  readonly decimal: string;
  readonly group: string;
  /** Matches a complete number: digits with or without group separators, a fraction, or both. */
  readonly pattern: RegExp;
  /** Returns whether digits with commas between them could be one number. */
  couldJoin(text: string): boolean;
  readonly example: string;
}

/** Returns the number format of a locale. @throws CalculatorError `SYNTAX` for an unknown locale. */
export function numberStyleOf(tag: string): NumberStyle {
  const locale = tag.trim().replaceAll("_", "-");
  if (!isKnown(locale)) {
    throw new CalculatorError("SYNTAX", "expected a BCP 47 locale such as de, de-CH, en-IN or fr");
  }
  const format = new Intl.NumberFormat(locale, { numberingSystem: "latn", useGrouping: "always" });
  const parts = format.formatToParts(1_234_567.5);
  const textOf = (type: string) => plainSeparator(parts.find((part) => part.type === type)?.value ?? "");
  const decimal = textOf("decimal");
  const group = textOf("group");
  const [, second] = parts.filter(({ type }) => type === "integer").toReversed();
  const size = second?.value.length ?? 3;
  const [d, g] = [escaped(decimal), escaped(group)];
  return {
    locale,
    decimal,
    group,
    pattern: new RegExp(`^(?=.*\\d)(?:\\d+|\\d{1,${size}}(?:${g}\\d{${size}})*${g}\\d{3})?(?:${d}\\d+)?$`),
    couldJoin: (text) =>
      decimal === "," || (group === "," && new RegExp(`\\d,\\d{${size}}(?!\\d)|\\d,\\d{3}(?!\\d)`).test(text)),
    example: parts.map(({ type, value }) => (type === "group" ? group : value)).join(""),
  };
}

function isKnown(locale: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0;
  } catch {
    return false;
  }
}

function plainSeparator(text: string): string {
  if (/^\s$/u.test(text)) return " ";
  return text === "’" ? "'" : text;
}

function escaped(text: string): string {
  return text === "." ? "\\." : text;
}
