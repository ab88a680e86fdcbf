import { liveBody } from "./live-body.ts";
import { liveHeader, type NotCarried } from "./live-header.ts";
import type { Vector } from "./read-vectors.ts";
import type { World } from "./world.ts";

/** A vector in the form of a request to a running handler. */
export interface CarriedVector {
  /** The headers that the vector tests, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Whether a handler must run the request. A vector with the level "signature" may sign a body that is not a call. */
  readonly isGenuine: boolean;
}

/**
 * Adapts a published vector to the secret, the call and the time of a running handler.
 *
 * @param base - the body of the unmodified vector.
 */
export function carryVector(vector: Vector, base: string, world: World): CarriedVector | NotCarried {
  if (vector.toleranceSeconds !== 300 && vector.toleranceSeconds !== world.toleranceSeconds) {
    return { skipped: `it is for a handler with a tolerance of ${vector.toleranceSeconds} s` };
  }
  const body = liveBody(vector, base, world);
  const headers = new Map<string, string>();
  for (const [name, value] of vector.headers) {
    const live = name === "webhook-timestamp" ? String(Math.floor(world.nowMs / 1_000)) : liveHeader(value, vector, body, base, world);
    if (typeof live !== "string") return live;
    headers.set(name, live);
  }
  const isCall = body.text !== "";
  return { headers, body: Buffer.from(body.text, "latin1"), isGenuine: vector.expect === "accept" && isCall };
}
