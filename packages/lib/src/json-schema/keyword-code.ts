/** The finding code for a JSON Schema keyword: `additionalProperties` becomes `ADDITIONAL_PROPERTIES`. */
export function keywordCode(keyword: string): string {
  return keyword
    .replace(/^\$/, "")
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();
}
