import { setTimeout as sleep } from "node:timers/promises";
import { type Models, type ModelTurn, ModelTurnError, type ModelTurnRequest } from "@yagate/models/port";
import { MAX_MODEL_RETRIES } from "../machine/interpret.ts";
import { retryDelayMs } from "../machine/retry.ts";
import type { OpenSample } from "./open-sample.ts";

export interface SampleContext {
  readonly models: Models;
  /** ms since the epoch: a retry that would start later is not made. */
  readonly deadline: number;
  readonly now: () => number;
  readonly random: () => number;
  /** Called before each request; throws if it may not be sent. */
  readonly beforeRequest: () => void;
}

/**
 * Requests a sample from a model, with the retries of a model turn.
 *
 * @throws ModelTurnError for the last failure, what `beforeRequest` throws, or the signal's reason.
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
      // The running request will never be answered.
      if (request.signal.aborted) throw error;
      sample.onReply(error instanceof ModelTurnError ? error.spending : undefined);
      if (!(error instanceof ModelTurnError) || !error.isRetryable || failures > MAX_MODEL_RETRIES) throw error;
      const delayMs = retryDelayMs(failures, random, error.retryAfterMs);
      if (delayMs >= deadline - now()) throw error;
      await sleep(delayMs, undefined, { signal: request.signal });
    }
  }
}
