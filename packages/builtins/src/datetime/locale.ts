import { DateTimeError } from "./datetime-error.ts";

/** Returns whether dates can be formatted in a locale: a BCP 47 tag whose language is supported. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** Reads a locale. @throws DateTimeError for an unknown locale. */
export function parseLocale(tag: string): string {
  const trimmed = tag.trim().replaceAll("_", "-");
  if (isLocale(trimmed)) return trimmed;
  throw new DateTimeError("expected a BCP 47 locale such as en-GB, de, pt-BR or ja");
}
