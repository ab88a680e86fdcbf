import type { LateWatch } from "@yagate/egress";
import { DEFAULT_TOOL_TIMEOUT_MS } from "@yagate/protocol";
import type { EndpointLimiter } from "../endpoints/endpoint-limiter.ts";
import type { Attempt } from "../port.ts";

const MAX_WATCHES = 64;
/** Maximum number of watches per endpoint, so that an endpoint that never responds does not use up all watches. */
const MAX_WATCHES_PER_ENDPOINT = 8;
const MAX_WATCH_MS = 30_000;

/** Watches for late responses. Each watch keeps a connection open, so their number and duration are limited. */
export class LateWatches {
  readonly #byEndpoint = new Map<EndpointLimiter, number>();
  #count = 0;

  /**
   * Opens a watch for the late response of an attempt; returns undefined if the attempt needs none or a limit is
   * reached.
   */
  open(endpoint: EndpointLimiter, { webhook, context: { onLateAnswer } }: Attempt): LateWatch | undefined {
    const ofEndpoint = this.#byEndpoint.get(endpoint) ?? 0;
    if (onLateAnswer === undefined || this.#count >= MAX_WATCHES || ofEndpoint >= MAX_WATCHES_PER_ENDPOINT) {
      return undefined;
    }
    this.#change(endpoint, 1);
    return {
      forMs: Math.min(webhook.tool.timeout ?? DEFAULT_TOOL_TIMEOUT_MS, MAX_WATCH_MS),
      onAnswer: ({ status, elapsedMs, responseBytes }) =>
        onLateAnswer({ httpStatus: status, elapsedMs: Math.round(elapsedMs * 100) / 100, responseBytes }),
      onOver: () => this.#change(endpoint, -1),
    };
  }

  #change(endpoint: EndpointLimiter, by: 1 | -1): void {
    const ofEndpoint = (this.#byEndpoint.get(endpoint) ?? 0) + by;
    this.#count += by;
    if (ofEndpoint === 0) this.#byEndpoint.delete(endpoint);
    else this.#byEndpoint.set(endpoint, ofEndpoint);
  }
}
