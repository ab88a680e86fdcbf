import { setTimeout as sleep } from "node:timers/promises";
import { type Models, type ModelTurn, ModelTurnError, type ModelTurnRequest } from "@yagate/models/port";
import { MAX_MODEL_RETRIES } from "../machine/interpret.ts";
import { retryDelayMs } from "../machine/retry.ts";
import type { OpenSample } from "./open-sample.ts";

export interface SampleContext {
  readonly models: Models;
  /** ms since the epoch: a repeat that would begin later is not made. */
  readonly deadline: number;
  readonly now: () => number;
  readonly random: () => number;
  /** Called before each request; throws what keeps it from being sent. */
  readonly beforeRequest: () => void;
}

/**
 * Asks a model, and asks again after what passes by itself, as a model turn does.
 *
 * @throws ModelTurnError for the last failure, what `beforeRequest` throws, or the signal's reason.
 */
export async function sampleWithRetries(
  request: ModelTurnRequest,
  question: OpenSample,
  { models, deadline, now, random, beforeRequest }: SampleContext,
): Promise<ModelTurn> {
  for (let failures = 1; ; failures += 1) {
    beforeRequest();
    question.onRequest();
    try {
      const turn = await models.runTurn(request);
      question.onReply(turn);
      return turn;
    } catch (error) {
      // What was on its way then is never answered.
      if (request.signal.aborted) throw error;
      question.onReply(error instanceof ModelTurnError ? error.spending : undefined);
      if (!(error instanceof ModelTurnError) || !error.isRetryable || failures > MAX_MODEL_RETRIES) throw error;
      const delayMs = retryDelayMs(failures, random, error.retryAfterMs);
      if (delayMs >= deadline - now()) throw error;
      await sleep(delayMs, undefined, { signal: request.signal });
    }
  }
}
