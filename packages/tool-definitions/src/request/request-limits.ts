import type { RenderedRequest } from "./port.ts";
import { RenderError } from "./render-error.ts";

/** Maximum length of the URL of a rendered request, in characters. */
export const MAX_REQUEST_URL_LENGTH = 8_192;
/** Maximum size of the body of a rendered request, in bytes. */
export const MAX_REQUEST_BODY_BYTES = 65_536;
/** Maximum total length of header names and values of a rendered request, in characters. */
export const MAX_REQUEST_HEADER_CHARACTERS = 16_384;

/** What is left of the size limits for the parts of one request while it is rendered. */
export interface RequestBudgets {
  readonly url: TextBudget;
  readonly headers: TextBudget;
  /** The budget for the body. It counts characters, because a body has at least as many bytes. */
  readonly body: TextBudget;
}

export function createRequestBudgets(): RequestBudgets {
  return {
    url: createTextBudget(MAX_REQUEST_URL_LENGTH, urlTooLong),
    headers: createTextBudget(MAX_REQUEST_HEADER_CHARACTERS, headersTooLarge),
    body: createTextBudget(MAX_REQUEST_BODY_BYTES, bodyTooLarge),
  };
}

/**
 * Checks that a rendered request is within its size limits.
 *
 * @returns the same request.
 * @throws RenderError `RENDERED_TOO_LARGE`, with a message for the model.
 */
export function withinRequestLimits(request: RenderedRequest): RenderedRequest {
  if (request.url.length > MAX_REQUEST_URL_LENGTH) throw urlTooLong();
  const { headers } = createRequestBudgets();
  for (const [name, value] of Object.entries(request.headers)) headers.spend(name.length + value.length);
  if (request.body !== undefined && bodyBytes(request.body) > MAX_REQUEST_BODY_BYTES) throw bodyTooLarge();
  return request;
}

function urlTooLong(): RenderError {
  return tooLarge(`a url of more than ${MAX_REQUEST_URL_LENGTH} characters`);
}

function headersTooLarge(): RenderError {
  return tooLarge(`headers of more than ${MAX_REQUEST_HEADER_CHARACTERS} characters`);
}

function bodyTooLarge(): RenderError {
  return tooLarge(`a body of more than ${MAX_REQUEST_BODY_BYTES} bytes`);
}

function tooLarge(what: string): RenderError {
  return new RenderError("RENDERED_TOO_LARGE", `the arguments result in ${what}: shorten them`);
}

function bodyBytes(body: NonNullable<RenderedRequest["body"]> | null): number {
  return Buffer.byteLength(typeof body === "string" ? body : JSON.stringify(body));
}

/** The length of text that may still be written. It is charged before the text is built. */
export interface TextBudget {
  /**
   * Charges the budget.
   * @throws the error of the budget if it is exceeded.
   */
  spend(characters: number): void;
}

/**
 * Creates a budget.
 * @param maxCharacters - maximum length of the complete text.
 * @param exceeded - creates the error for a longer text.
 */
export function createTextBudget(maxCharacters: number, exceeded: () => Error): TextBudget {
  let left = maxCharacters;
  return {
    spend(characters) {
      left -= characters;
      if (left < 0) throw exceeded();
    },
  };
}
