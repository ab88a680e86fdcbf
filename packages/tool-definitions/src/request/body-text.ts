import type { JsonValue } from "@yagate/protocol";
import type { RenderedRequest } from "./port.ts";
import { RenderError } from "./render-error.ts";

const FORM = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;

/**
 * Returns the body of a request as it is sent: a string unchanged, an object as a form if the content type says so,
 * other values as JSON.
 *
 * @returns undefined if there is no body.
 * @throws RenderError `NOT_A_SCALAR` for a form field that is not a string, number, boolean or a list of them.
 */
export function bodyText({ headers, body }: Pick<RenderedRequest, "headers" | "body">): string | undefined {
  if (body === undefined || typeof body === "string") return body;
  const isForm = FORM.test(headers["content-type"] ?? "");
  if (!isForm || body === null || typeof body !== "object" || Array.isArray(body)) return JSON.stringify(body);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, fieldText(item, name));
  }
  return form.toString();
}

function fieldText(value: JsonValue, name: string): string {
  if (typeof value !== "object") return String(value);
  throw new RenderError(
    "NOT_A_SCALAR",
    `${name} must be a string, number, boolean or a list of them: it is a form field`,
  );
}
