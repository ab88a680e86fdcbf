/** Normalises a document's language to a BCP 47 tag. Returns `undefined` if it is invalid. */
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
