import type { HttpMethod, JsonObject, JsonValue } from "@yagate/protocol";

/** The request of one call, before a credential is added to it. */
export interface RenderedRequest {
  readonly method: HttpMethod;
  /** Absolute, with its query. */
  readonly url: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent without a body. A string is sent unchanged, other values as JSON, or as a form if the headers say so. */
  readonly body?: JsonValue;
}

/** Returns what replaces a secret: its value in the sent request, `***NAME***` in records. */
export type SecretOf = (name: string) => string;

/** Makes the request of a call from its arguments. The same arguments and secrets always give the same request. */
export interface RequestTemplate {
  /** Names of the secrets that it uses. */
  readonly secretNames: readonly string[];
  /**
   * @param parameters - already validated against the tool's schema.
   * @throws YagateError `INVALID_ARGUMENTS` for arguments that make no valid request; the message is for the model.
   */
  render(parameters: JsonObject, secretOf: SecretOf): RenderedRequest;
}
