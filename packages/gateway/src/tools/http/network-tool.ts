import type { Agent, JsonObject } from "@yagate/protocol";
import type { RequestTemplate } from "@yagate/tool-definitions/request/port";

/** Where a tool may send requests, in addition to the policy of its egress route. */
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
  /** Returns the name of the secret that is the credential of a call; undefined if there is none. */
  readonly credentialOf: (parameters: JsonObject) => string | undefined;
  /** Whether calls without a credential fail. */
  readonly needsCredential: boolean;
  /**
   * Whether the model composes the request. If so, only the agent's credentials are allowed, and the call counts
   * towards the limits of the plan.
   */
  readonly isPrimitive: boolean;
  readonly destination: DestinationRule;
  /** Identifies the tool as it was saved. An approval holds for the request and this version. */
  readonly version: unknown;
}

/** The parts of an agent on which its requests depend. */
export interface NetworkAgent extends Pick<Agent, "integrations" | "credentials" | "webhookUrls"> {
  /**
   * Names of all secrets that its tools may send. None of their values may occur in a request that does not need it.
   */
  readonly secretNames: readonly string[];
}
