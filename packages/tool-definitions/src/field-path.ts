import { isObject } from "@yagate/lib/json/json-object";
import { parsePointer } from "@yagate/lib/json/json-pointer";

/**
 * Converts a JSON pointer to a path in the format of the API's errors: names after dots, indexes in brackets.
 *
 * @param root - the name of the value at which the pointer starts.
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
