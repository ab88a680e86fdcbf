import type { Agent, JsonObject } from "@yagate/protocol";
import type { RequestTemplate } from "@yagate/tool-definitions/request/port";

/** Where the requests of a tool may go, in addition to the policy of their egress route. */
export type DestinationRule =
  /** The model writes the URL: the domains of the agent's integrations. */
  | "integrations"
  /** The model writes the URL: the hosts of the agent's webhook URLs. */
  | "webhooks"
  /** The author of the tool wrote the host. */
  | "author";

/** A tool whose calls are requests. */
export interface NetworkTool {
  readonly name: string;
  readonly template: RequestTemplate;
  /** Name of the secret that a call is sent with, if any. */
  readonly credentialOf: (parameters: JsonObject) => string | undefined;
  /** Calls without a credential fail. */
  readonly needsCredential: boolean;
  /** The model composes the request: only credentials of the agent count, and the plan counts the call. */
  readonly isPrimitive: boolean;
  readonly destination: DestinationRule;
  /** What an approval holds for, beside the request: the tool as it was saved. */
  readonly version: unknown;
}

/** What of an agent decides about its requests. */
export interface NetworkAgent extends Pick<Agent, "integrations" | "credentials" | "webhookUrls"> {
  /** All secrets that its tools may send: none of them may stand in a request that does not need it. */
  readonly secretNames: readonly string[];
}
