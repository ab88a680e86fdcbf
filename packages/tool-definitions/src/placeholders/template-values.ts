import type { JsonObject, JsonValue } from "@yagate/protocol";
import type { SecretOf } from "../request/port.ts";
import { RenderError } from "../request/render-error.ts";
import type { TextBudget } from "../request/text-budget.ts";
import type { TemplateToken } from "./template-text.ts";

/** What stands in the place of placeholders. */
export interface TemplateValues {
  readonly parameters: JsonObject;
  readonly secretOf: SecretOf;
  /** What may still be written: each placeholder repeats its argument. */
  readonly budget: TextBudget;
}

/** @returns undefined for a parameter that the call leaves out. */
export function argumentOf({ parameters }: TemplateValues, name: string): JsonValue | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

/** How the pieces of a text are written where it goes; `identity` where nothing has a meaning of its own. */
export interface TextEncoding {
  /** What the author wrote. */
  readonly text: (text: string) => string;
  /** What a call brought. */
  readonly argument: (text: string) => string;
  readonly secret: (text: string) => string;
}

const same = (text: string): string => text;
export const VERBATIM: TextEncoding = { text: same, argument: same, secret: same };

/**
 * @throws RenderError `NOT_A_SCALAR`, `INVALID_ARGUMENTS` for a parameter that the call leaves out, or what the budget
 *   throws.
 */
export function renderText(tokens: readonly TemplateToken[], values: TemplateValues, encoding: TextEncoding): string {
  let rendered = "";
  for (const token of tokens) {
    if ("text" in token) rendered += writeText(token.text, encoding.text, values);
    else if ("secret" in token) rendered += writeText(values.secretOf(token.secret), encoding.secret, values);
    else {
      const text = scalarText(argumentOf(values, token.parameter), token.parameter);
      rendered += writeText(text, encoding.argument, values);
    }
  }
  return rendered;
}

/** Encodes a text within the budget, which no encoding makes shorter. */
export function writeText(text: string, encode: (text: string) => string, { budget }: TemplateValues): string {
  budget.spend(text.length);
  const encoded = encode(text);
  budget.spend(encoded.length - text.length);
  return encoded;
}

/**
 * A value as it stands in text.
 *
 * @param name - of the parameter, for the message.
 * @throws RenderError `NOT_A_SCALAR`, or `INVALID_ARGUMENTS` for undefined.
 */
export function scalarText(value: JsonValue | undefined, name: string): string {
  if (value === undefined) {
    throw new RenderError("INVALID_ARGUMENTS", `${name} must be given: it is part of a text`);
  }
  if (typeof value === "object") {
    throw new RenderError("NOT_A_SCALAR", `${name} must be text, a number or a boolean: it becomes part of a text`);
  }
  return String(value);
}
