import { isObject } from "@yagate/lib/json/json-object";
import { parsePointer } from "@yagate/lib/json/json-pointer";

/**
 * The place of a JSON pointer as the API's errors name it: dotted, with the indexes of lists in brackets.
 *
 * @param root - the name of the value that the pointer is about.
 */
export function fieldPath(root: string, value: unknown, pointer: string): string {
  let path = root;
  let at = value;
  for (const key of parsePointer(pointer) ?? []) {
    path += Array.isArray(at) ? `[${key}]` : `.${key}`;
    at = isObject(at) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
  }
  return path;
}
