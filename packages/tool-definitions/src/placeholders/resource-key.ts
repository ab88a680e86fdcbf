import { isJsonObject } from "@yagate/lib/json/json-object";
import { canonicalJson, type JsonValue } from "@yagate/protocol";
import { parseTemplateText, type TemplateToken } from "./template-text.ts";

/** A parsed template of a resource key, with `${parameter}` placeholders. */
export interface ResourceKeyTemplate {
  /** The parameters that the template uses, each once. */
  readonly parameters: readonly string[];
  /**
   * Names in `{name}` or `$name`, without duplicates. They look like placeholders but are literal text. Escaped
   * placeholders (`$${…}`) are not listed, because they are meant to be literal.
   */
  readonly literals: readonly string[];
  /** Returns the key of a call with these arguments; undefined if a parameter is absent or null. */
  render(values: JsonValue): string | undefined;
}

type Piece = Exclude<TemplateToken, { readonly secret: string }>;

const ESCAPED = /\$\$\{[^}]*\}?/g;
const LOOKS_READ = /(?<!\$)\{([A-Za-z_][A-Za-z0-9_-]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)/g;

/**
 * Parses the template of a resource key.
 * @returns undefined for a template with a placeholder that is empty, unclosed, nested, a path or a secret.
 */
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

/**
 * Converts an argument to text; undefined if it is absent or null. Null identifies no resource, because some models
 * send null for each parameter that they mean to omit.
 */
function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? canonicalText(value) : String(value);
}

/** Returns the same text for equal values, whatever the order of members; undefined for a value that is not JSON. */
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
