import type { ModelResponse } from "@yagate/protocol";

/** Maximum length of an id or a name in characters; longer values are ignored. */
const MAX_LENGTH = 256;

/** The id and model that the provider has reported so far. */
export interface NotedResponse {
  id?: string;
  model?: string;
}

export function noteResponse(
  noted: NotedResponse,
  said: { readonly id?: string | undefined; readonly modelId?: string | undefined } | undefined,
): void {
  if (isName(said?.id)) noted.id = said.id;
  if (isName(said?.modelId)) noted.model = said.modelId;
}

export function toResponse(noted: NotedResponse): { response?: ModelResponse } {
  return noted.id === undefined && noted.model === undefined ? {} : { response: { ...noted } };
}

/** Checks whether a value can be an id or a name. Compatible servers may send anything. */
function isName(text: unknown): text is string {
  return typeof text === "string" && text !== "" && text.length <= MAX_LENGTH;
}
