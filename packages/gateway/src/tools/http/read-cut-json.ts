import { readResponseJson } from "@yagate/calls/read-response";
import type { JsonValue } from "@yagate/protocol";

const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Reads the complete parts of a JSON text whose end was cut off. Leaves out the list element that contains the cut,
 * because an incomplete record can look complete.
 *
 * @returns undefined if the text is not JSON, or if the complete parts are less than half of it.
 */
export function readCutJson(text: string): { readonly value: JsonValue; readonly kept: string } | undefined {
  const open: number[] = [];
  let lists = 0;
  let end = 0;
  let openAtEnd = 0;
  const mayEndAt = (index: number) => {
    if (lists !== (open.at(-1) === CLOSE_LIST ? 1 : 0)) return;
    end = index;
    openAtEnd = open.length;
  };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      open.push(code === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT);
      if (code === OPEN_LIST) lists += 1;
      mayEndAt(index + 1);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      if (open.pop() !== code) return undefined;
      if (code === CLOSE_LIST) lists -= 1;
      mayEndAt(index + 1);
    } else if (code === COMMA) mayEndAt(index);
  }
  if (end * 2 < text.length) return undefined;
  const kept = text.slice(0, end);
  const closing = open.slice(0, openAtEnd).slice(-MAX_OPEN).reverse();
  const json = readResponseJson(kept + String.fromCharCode(...closing));
  return json.isReadable ? { value: json.value, kept } : undefined;
}

/** More levels than a response may contain. The parser rejects a text with so many levels. */
const MAX_OPEN = 1_000;

/** Returns the index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== QUOTE) {
    index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  }
  return index;
}
