/** Returns the finding code for a JSON Schema keyword, such as `ADDITIONAL_PROPERTIES` for `additionalProperties`. */
export function keywordCode(keyword: string): string {
  return keyword
    .replace(/^\$/, "")
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();
}
