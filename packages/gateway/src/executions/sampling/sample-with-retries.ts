import { setTimeout as sleep } from "node:timers/promises";
import { retryDelayMs } from "@yagate/execution-machine/attempt";
import { MAX_MODEL_RETRIES } from "@yagate/execution-machine/interpret";
import { type Models, type ModelTurn, ModelTurnError, type ModelTurnRequest } from "@yagate/models/port";
import type { OpenSample } from "./open-sample.ts";

export interface SampleContext {
  readonly models: Models;
  /** Time in ms since the epoch; a retry is not made if it would start later. */
  readonly deadline: number;
  readonly now: () => number;
  readonly random: () => number;
  /** Called before each request. Throws if the request may not be sent. */
  readonly beforeRequest: () => void;
}

/**
 * Requests a sample from a model, with the same retries as a model turn.
 *
 * @throws ModelTurnError for the last failure, the error of `beforeRequest`, or the reason of the signal.
 */
export async function sampleWithRetries(
  request: ModelTurnRequest,
  sample: OpenSample,
  { models, deadline, now, random, beforeRequest }: SampleContext,
): Promise<ModelTurn> {
  for (let failures = 1; ; failures += 1) {
    beforeRequest();
    sample.onRequest();
    try {
      const turn = await models.runTurn(request);
      sample.onReply(turn);
      return turn;
    } catch (error) {
      // The request was aborted while it ran, so its reply will never arrive.
      if (request.signal.aborted) throw error;
      sample.onReply(error instanceof ModelTurnError ? error.spending : undefined);
      if (!(error instanceof ModelTurnError) || !error.isRetryable || failures > MAX_MODEL_RETRIES) throw error;
      const delayMs = retryDelayMs(failures, random, error.retryAfterMs);
      if (delayMs >= deadline - now()) throw error;
      await sleep(delayMs, undefined, { signal: request.signal });
    }
  }
}
