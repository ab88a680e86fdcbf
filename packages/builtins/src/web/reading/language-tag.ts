/** A language as a document names it, as a BCP 47 tag; undefined for what is none. */
export function toLanguageTag(written: string | undefined): string | undefined {
  const tag =
    written
      ?.trim()
      .split(/[\s,;]/, 1)[0]
      ?.replaceAll("_", "-") ?? "";
  if (tag === "" || tag.length > 35) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
