import type { Agent } from "@yagate/protocol";
import { InvalidRequestError } from "../errors/request-errors.ts";

/** Whether it is known what a model costs. Scripted models cost nothing. */
export type IsPriced = (model: string) => boolean;

/** Why an agent may not have these limits: without a price, no limit of cost can hold. */
export function unpricedModel(
  { model }: Pick<Agent, "model">,
  { maxCostUsd = null }: Pick<Agent["limits"], "maxCostUsd">,
  isPriced: IsPriced,
): InvalidRequestError | undefined {
  if (maxCostUsd === null || isPriced(model)) return undefined;
  const message = `expected a model with a known price, because maxCostUsd bounds what it costs; the price of ${model} is not known`;
  return new InvalidRequestError(
    [{ path: "limits.maxCostUsd", code: "MODEL_UNPRICED", message }],
    "MODEL_UNPRICED",
    message,
  );
}
