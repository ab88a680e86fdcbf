import type { ExecutionRequest, YagateError } from "@yagate/protocol";
import { InvalidRequestError } from "../../errors/request-errors.ts";

interface Start {
  readonly workspaceId: string;
  readonly request: Pick<ExecutionRequest, "routing">;
  /** What is already known to prevent the execution. */
  readonly refusal?: YagateError;
}

/** Checks the intents to which a request narrows an execution. @throws InvalidRequestError for unknown ones. */
type AssertIntents = (workspaceId: string, intents: readonly string[] | undefined) => Promise<void>;

/**
 * Returns why an execution cannot be started; undefined if it can. Even if it cannot, a repeated request finds the
 * execution that the first one started.
 */
export async function refusalOf(
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
