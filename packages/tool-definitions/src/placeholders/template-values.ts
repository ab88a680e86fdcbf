import type { JsonObject, JsonValue } from "@yagate/protocol";
import type { SecretOf } from "../request/port.ts";
import { RenderError } from "../request/render-error.ts";
import type { TextBudget } from "../request/request-limits.ts";
import type { TemplateToken } from "./template-text.ts";

/** The values that replace placeholders. */
export interface TemplateValues {
  readonly parameters: JsonObject;
  readonly secretOf: SecretOf;
  /**
   * What is left of the size limit for the rendered text. The size is limited, because each placeholder repeats its
   * argument.
   */
  readonly budget: TextBudget;
}

/**
 * Returns the argument for a parameter.
 * @returns undefined for a parameter that the call omits.
 */
export function argumentOf({ parameters }: TemplateValues, name: string): JsonValue | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

/** How the parts of a string are encoded at its destination. */
export interface TextEncoding {
  /** Encodes the author's text. */
  readonly text: (text: string) => string;
  /** Encodes an argument of the call. */
  readonly argument: (text: string) => string;
  readonly secret: (text: string) => string;
}

const same = (text: string): string => text;
export const VERBATIM: TextEncoding = { text: same, argument: same, secret: same };

/**
 * Renders a string. Errors from the budget are passed on.
 * @throws RenderError `NOT_A_SCALAR`; `INVALID_ARGUMENTS` for a parameter that the call omits.
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

/** Encodes a string within the budget. The budget is checked first, because no encoding shortens a string. */
export function writeText(text: string, encode: (text: string) => string, { budget }: TemplateValues): string {
  budget.spend(text.length);
  const encoded = encode(text);
  budget.spend(encoded.length - text.length);
  return encoded;
}

/**
 * Converts a value to text.
 *
 * @param name - the parameter's name, for the message.
 * @throws RenderError `NOT_A_SCALAR`; `INVALID_ARGUMENTS` if the value is undefined.
 */
export function scalarText(value: JsonValue | undefined, name: string): string {
  if (value === undefined) {
    throw new RenderError("INVALID_ARGUMENTS", `${name} is required: it is part of a string`);
  }
  if (typeof value === "object") {
    throw new RenderError("NOT_A_SCALAR", `${name} must be a string, number or boolean: it is part of a string`);
  }
  return String(value);
}
