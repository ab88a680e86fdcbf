import { type AttemptDetail, attemptDetailSchema, attemptIdSchema } from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import type { CallOptions } from "./call-options.ts";

/** Attempts: the individual requests that the gateway sent, or tried to send, for tool calls. */
export class Attempts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Gets an attempt with its request and response, in which secrets are redacted. Both are null after their retention
   * period.
   */
  async get(attemptId: string, { signal }: CallOptions = {}): Promise<AttemptDetail> {
    const path = `/v1/attempts/${requireId(attemptIdSchema, attemptId)}`;
    return this.#transport.json({ method: "GET", path, signal }, attemptDetailSchema);
  }
}
