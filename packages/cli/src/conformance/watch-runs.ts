import { field } from "../verify/json-fields.ts";
import { jsonOf, told } from "./judgements.ts";
import type { Probe } from "./probe.ts";
import type { Exchange, Message } from "./wire/exchange.ts";

/** Sends a request that must not run the tool, and returns the response and any sign that the tool ran. */
export async function watchRuns(
  probe: Probe,
  message: Message,
): Promise<{ exchange: Exchange; ran: string | undefined }> {
  const before = await probe.counter.read?.();
  const exchange = await probe.send(message);
  const after = await probe.counter.read?.();
  const isResult =
    exchange.kind === "answer" && exchange.status < 300 && field(jsonOf(exchange), "result") !== undefined;
  if (!isResult && before === after) return { exchange, ran: undefined };
  const seen = isResult ? "with a result: the call ran" : "and the tool ran";
  return { exchange, ran: `it ${told(exchange)} ${seen}; nothing may run` };
}
