import type { Probe } from "../probe.ts";
import type { Exchange, Message } from "./exchange.ts";

/**
 * Sends copies of a message so that they are complete at the same moment: each on its connection up to the last byte,
 * and then the last bytes together.
 */
export async function sendAtOnce(
  probe: Probe,
  message: Message & { readonly body: Uint8Array },
  copies: number,
): Promise<readonly Exchange[]> {
  const gate = Promise.withResolvers<void>();
  const exchanges: Promise<Exchange>[] = [];
  const held: Promise<void>[] = [];
  for (let copy = 0; copy < copies; copy += 1) {
    const arrived = Promise.withResolvers<void>();
    const sending = { kind: "held", until: gate.promise, onHeld: arrived.resolve } as const;
    const exchange = probe.send({ ...message, sending });
    exchanges.push(exchange);
    // A connection that can't be made must not hold the others back.
    held.push(Promise.race([arrived.promise, exchange.then(() => undefined)]));
  }
  await Promise.all(held);
  gate.resolve();
  return Promise.all(exchanges);
}
