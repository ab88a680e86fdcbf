import type { ExecutionRequest, YagateError } from "@yagate/protocol";
import { QuotaExceededError } from "@yagate/store/quotas/quota-exceeded";
import { InvalidRequestError } from "../../errors/request-errors.ts";

interface Start {
  readonly workspaceId: string;
  /** The key with which a repeated request finds the execution that the first one started. */
  readonly idempotency?: object | undefined;
  readonly request: Pick<ExecutionRequest, "routing">;
  /** What is already known to prevent the execution. */
  readonly refusal?: YagateError | undefined;
}

/** Checks the intents to which a request narrows an execution. @throws InvalidRequestError for unknown ones. */
type AssertIntents = (workspaceId: string, intents: readonly string[] | undefined) => Promise<void>;

/** Returns whether a start cannot be refused. This holds for most starts, which then need no promise for the check. */
export function hasNothingToCheck({ request, refusal }: Start): boolean {
  return refusal === undefined && request.routing?.intents === undefined;
}

/**
 * Creates an execution, unless something prevents it. Even then, a repeated request finds the execution that the first
 * one started.
 *
 * @param createOrFind - with `maxPending` 0, it creates nothing and only finds.
 * @throws the reason why the execution cannot be started.
 */
export async function createUnlessRefused<S extends Start, Created>(
  start: S,
  assertIntents: AssertIntents | undefined,
  createOrFind: (start: S, maxPending?: 0) => Promise<Created>,
): Promise<Created> {
  const refusal = await refusalOf(start, assertIntents);
  if (refusal === undefined) return createOrFind(start);
  if (start.idempotency === undefined) throw refusal;
  try {
    return await createOrFind(start, 0);
  } catch (error) {
    throw error instanceof QuotaExceededError ? refusal : error;
  }
}

/** Returns why an execution cannot be started; undefined if it can. */
async function refusalOf(
  { workspaceId, request, refusal }: Start,
  assertIntents: AssertIntents | undefined,
): Promise<YagateError | undefined> {
  if (refusal !== undefined) return refusal;
  try {
    await assertIntents?.(workspaceId, request.routing?.intents);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
    throw error;
  }
}
