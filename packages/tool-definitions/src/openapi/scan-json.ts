/** The size of a JSON text before it is parsed. */
export interface JsonExtent {
  /** Number of objects, lists and values in valid JSON. Each empty list or object adds one too many. */
  readonly values: number;
  readonly depth: number;
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Counts the values in a JSON text. This comes before `JSON.parse`, which can't be interrupted: if it runs out of
 * memory, it ends the entire process despite the limit on its thread.
 */
export function scanJson(text: string): JsonExtent {
  let values = 1;
  let level = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index += 1;
      while (index < text.length && text.charCodeAt(index) !== QUOTE) {
        index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
      }
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values += 1;
      level += 1;
      depth = Math.max(depth, level);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) level -= 1;
    else if (code === COMMA) values += 1;
  }
  return { values, depth };
}
