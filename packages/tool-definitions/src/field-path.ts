import { isObject } from "@yagate/lib/json/json-object";
import { parsePointer } from "@yagate/lib/json/json-pointer";

/**
 * The path of a JSON pointer as in the errors of the API: names after dots, indexes in brackets.
 *
 * @param root - the name of the value that the pointer starts at.
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
