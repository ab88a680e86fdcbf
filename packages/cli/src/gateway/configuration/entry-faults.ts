import { isJsonObject } from "@yagate/lib/json/json-object";
import { meantInstead } from "@yagate/lib/json-schema/closest-word";
import type { FieldError } from "@yagate/protocol";
import { fieldErrorsOf } from "../../frame/wrong-fields.ts";
import { type ConfigEntry, configFields } from "./config-schema.ts";
import { type ConfigText, type LineMatch, literalOf, nameSettingOf, settingOf } from "./config-text.ts";

/** Names that an entry can refer to, as its fields name them: `source`, `tool` or `builtin`. */
export type KnownNames = Readonly<Record<string, readonly string[]>>;

/** Maximum number of names that are listed if none of them is similar. */
const MAX_LISTED = 5;

/**
 * Describes why an entry could not be applied: one line for each invalid field, with the file and the line.
 *
 * @param path - of the entry, such as `agents[1]`.
 */
export function describeFault(
  error: unknown,
  { entry, path, text, known }: { entry: ConfigEntry; path: string; text: ConfigText; known: KnownNames },
): readonly string[] {
  const ofEntry = [nameSettingOf(entry.name), literalOf(entry.name)];
  const fields = fieldErrorsOf(error);
  if (fields.length === 0) return [`${text.placeOf(ofEntry)}: ${error instanceof Error ? error.message : error}`];
  return fields.map((fault) => {
    const place = text.placeOf([...matchesOf(fault, entry), ...ofEntry]);
    return `${place}: ${path}.${fault.path}: ${fault.message}${suggestionOf(fault, entry, known)}`;
  });
}

/** Finds where an invalid field is written, the best match first. A missing field has no location. */
export function matchesOf(fault: FieldError, value: unknown): readonly LineMatch[] {
  const field = lastFieldOf(fault.path);
  const found = valueAt(value, fault.path);
  if (found === undefined) return [];
  const isText = typeof found === "string" && fault.code !== "UNRECOGNIZED_KEYS";
  return isText ? [literalOf(found), settingOf(field)] : [settingOf(field)];
}

/** Returns a suggestion to append to the message about an invalid field; empty if no name can be suggested. */
export function suggestionOf(fault: FieldError, value: unknown, known: KnownNames = {}): string {
  const field = lastFieldOf(fault.path);
  if (fault.code === "UNRECOGNIZED_KEYS") return meantInstead(field, configFields());
  const found = valueAt(value, fault.path);
  const names = known[field];
  if (typeof found !== "string" || names === undefined) return "";
  const meant = meantInstead(found, names);
  if (meant !== "") return meant;
  if (names.length === 0) return ": there are none";
  const listed = names.slice(0, MAX_LISTED).join(", ");
  return `: there ${names.length === 1 ? "is" : "are"} ${listed}${names.length > MAX_LISTED ? ", …" : ""}`;
}

/** Returns the name of the innermost field of a path: `source` for `tools[0].source`, and for `tools[0].source[1]`. */
function lastFieldOf(path: string): string {
  return /(\w+)(?:\[\d+\])*$/.exec(path)?.[1] ?? "";
}

function valueAt(value: unknown, path: string): unknown {
  return path.split(/[.[\]]+/).reduce((found, key) => {
    if (key === "") return found;
    if (Array.isArray(found)) return found[Number(key)];
    return isJsonObject(found) ? found[key] : undefined;
  }, value);
}
