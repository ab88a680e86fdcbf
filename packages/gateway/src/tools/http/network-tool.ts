import type { Agent, JsonObject } from "@yagate/protocol";
import type { RequestTemplate } from "@yagate/tool-definitions/request/port";

/** Restricts where a tool may send requests, in addition to the policy of its egress route. */
export type DestinationRule =
  /** Only to the domains of the agent's integrations, because the model writes the URL. */
  | "integrations"
  /** Only to the hosts of the agent's webhook URLs, because the model writes the URL. */
  | "webhooks"
  /** Only to the host in the URL, because the author of the tool wrote it. */
  | "author";

/** A tool that sends requests. */
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
  /** Identifies the saved version of the tool. An approval is valid only for the same request and the same version. */
  readonly version: unknown;
}

/** The parts of an agent on which the requests of its tools depend. */
export interface NetworkAgent extends Pick<Agent, "integrations" | "credentials" | "webhookUrls"> {
  /**
   * Names of all secrets that the agent's tools may send. A request must not contain the value of any of these secrets
   * unless it needs that secret.
   */
  readonly secretNames: readonly string[];
}
