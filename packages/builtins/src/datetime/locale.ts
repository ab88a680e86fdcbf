import { DateTimeError } from "./datetime-error.ts";

/** Whether dates can be written in a locale: a tag of BCP 47 whose language is known here. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    // Not well-formed.
    return false;
  }
}

/** Reads a locale. @throws DateTimeError. */
export function parseLocale(tag: string): string {
  const trimmed = tag.trim().replaceAll("_", "-");
  if (isLocale(trimmed)) return trimmed;
  throw new DateTimeError("expected a locale of BCP 47 such as en-GB, de, pt-BR or ja");
}
