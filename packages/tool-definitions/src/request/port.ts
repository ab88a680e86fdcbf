import type { HttpMethod, JsonObject, JsonValue } from "@yagate/protocol";

/** The request of one call, before a credential is added to it. */
export interface RenderedRequest {
  readonly method: HttpMethod;
  /** Absolute, with its query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: none. A string is sent as it is, everything else as JSON unless the headers say that it is a form. */
  readonly body?: JsonValue;
}

/** What stands in the place of a secret: its value on the way out, `***NAME***` for everybody's eyes. */
export type SecretOf = (name: string) => string;

/** What a tool makes of a call's arguments. The same arguments and secrets always give the same request. */
export interface RequestTemplate {
  /** Names of the secrets that it asks for. */
  readonly secretNames: readonly string[];
  /**
   * @param parameters - already checked against the tool's schema.
   * @throws YagateError `INVALID_ARGUMENTS` for arguments that no request can be made of; its message is for the model.
   */
  render(parameters: JsonObject, secretOf: SecretOf): RenderedRequest;
}
