import type { Agent } from "@yagate/protocol";
import { InvalidRequestError } from "../errors/request-errors.ts";

/** Whether the price of a model is known. Scripted models are free. */
export type IsPriced = (model: string) => boolean;

/** The refusal of a cost limit for a model without a known price, under which it could not be enforced. */
export function unpricedModel(
  { model }: Pick<Agent, "model">,
  { maxCostUsd = null }: Pick<Agent["limits"], "maxCostUsd">,
  isPriced: IsPriced,
): InvalidRequestError | undefined {
  if (maxCostUsd === null || isPriced(model)) return undefined;
  const message = `expected a model with a known price, because maxCostUsd limits the cost; the price of ${model} is not known`;
  return new InvalidRequestError(
    [{ path: "limits.maxCostUsd", code: "MODEL_UNPRICED", message }],
    "MODEL_UNPRICED",
    message,
  );
}
