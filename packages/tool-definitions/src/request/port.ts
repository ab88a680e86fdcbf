import type { HttpMethod, JsonObject, JsonValue } from "@yagate/protocol";

/** The request of one call, before a credential is added to it. */
export interface RenderedRequest {
  readonly method: HttpMethod;
  /** Absolute URL with its query. */
  readonly url: string;
  /** Headers with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body; absent if there is none. A string is sent unchanged, other values as JSON, or as a form if the headers
   * say so.
   */
  readonly body?: JsonValue;
}

/** Returns the replacement for a secret: its value in the request to send, `***NAME***` in records. */
export type SecretOf = (name: string) => string;

/**
 * Renders the request of a call from its arguments. The same arguments and secrets always result in the same request.
 */
export interface RequestTemplate {
  /** Names of the secrets that the template uses. */
  readonly secretNames: readonly string[];
  /**
   * Renders a request.
   * @param parameters - arguments that were already validated against the tool's schema.
   * @throws YagateError `INVALID_ARGUMENTS` for arguments from which no valid request can be rendered; the message is
   *   for the model.
   */
  render(parameters: JsonObject, secretOf: SecretOf): RenderedRequest;
}
