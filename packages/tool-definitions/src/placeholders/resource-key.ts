import { isJsonObject } from "@yagate/lib/json/json-object";
import { canonicalJson, type JsonValue } from "@yagate/protocol";
import { parseTemplateText, type TemplateToken } from "./template-text.ts";

/** A parsed template of `${parameter}` placeholders. */
export interface ResourceKeyTemplate {
  /** The parameters that it uses, each once. */
  readonly parameters: readonly string[];
  /** The names in `{name}` or `$name`, which are literal text, each once. Escaped ones (`$${`) are intended and not listed. */
  readonly literals: readonly string[];
  /** The key of a call with these arguments; undefined when a parameter is absent or null. */
  render(values: JsonValue): string | undefined;
}

type Piece = Exclude<TemplateToken, { readonly secret: string }>;

const ESCAPED = /\$\$\{[^}]*\}?/g;
const LOOKS_READ = /(?<!\$)\{([A-Za-z_][A-Za-z0-9_-]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)/g;

/** @returns undefined for an invalid template: a placeholder that is empty, open, nested, a path or a secret. */
export function parseResourceKey(template: string): ResourceKeyTemplate | undefined {
  const pieces = parseTemplateText(template);
  if (pieces === undefined || !pieces.every(isNoSecret)) return undefined;
  const parameters = new Set(pieces.flatMap((piece) => ("parameter" in piece ? [piece.parameter] : [])));
  const lookRead = template.replaceAll(ESCAPED, " ").matchAll(LOOKS_READ);
  const literals = new Set(Array.from(lookRead, ([, braced, plain]) => braced ?? plain ?? ""));
  return { parameters: [...parameters], literals: [...literals], render: (values) => render(pieces, values) };
}

function isNoSecret(token: TemplateToken): token is Piece {
  return !("secret" in token);
}

function render(pieces: readonly Piece[], values: JsonValue): string | undefined {
  let key = "";
  for (const piece of pieces) {
    const text = "text" in piece ? piece.text : textOf(argumentOf(values, piece.parameter));
    if (text === undefined) return undefined;
    key += text;
  }
  return key;
}

/** Null names no resource: some models send null for each parameter that they mean to omit. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? canonicalText(value) : String(value);
}

/** Equal values have equal texts, in any order of members; undefined for a value that is not JSON. */
function canonicalText(value: JsonValue): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}

function argumentOf(values: JsonValue, name: string): JsonValue | undefined {
  if (!isJsonObject(values)) return undefined;
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
