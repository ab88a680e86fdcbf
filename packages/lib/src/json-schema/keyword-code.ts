/** The code of a value that breaks a JSON Schema keyword: `additionalProperties` is `ADDITIONAL_PROPERTIES`. */
export function keywordCode(keyword: string): string {
  return keyword
    .replace(/^\$/, "")
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();
}
