import type { Agent } from "@yagate/protocol";
import { InvalidRequestError } from "../errors/request-errors.ts";

/** Checks whether the price of a model is known. Scripted models are free. */
export type IsPriced = (model: string) => boolean;

/**
 * Returns an error if the agent has a cost limit but the price of its model is not known, because the limit could not
 * be enforced.
 */
export function unpricedModel(
  { model }: Pick<Agent, "model">,
  { maxCostUsd = null }: Pick<Agent["limits"], "maxCostUsd">,
  isPriced: IsPriced,
): InvalidRequestError | undefined {
  if (maxCostUsd === null || isPriced(model)) return undefined;
  const message = `maxCostUsd requires a model with a known price; the price of ${model} is not known`;
  return new InvalidRequestError(
    [{ path: "limits.maxCostUsd", code: "MODEL_UNPRICED", message }],
    "MODEL_UNPRICED",
    message,
  );
}
