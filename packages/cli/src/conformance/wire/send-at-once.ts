import { setTimeout } from "node:timers/promises";
import type { Probe } from "../probe.ts";
import type { Exchange, Message } from "./exchange.ts";

const PATIENCE_PARTS = 4;

/**
 * Sends copies of a message so that they are completed at the same time: sends each on a separate connection except for
 * its last byte, then all last bytes together. The wait for slow connections, as with a full server queue, is limited,
 * so that they do not use up the time of the others.
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
    // A connection that cannot be opened must not delay the others.
    held.push(Promise.race([arrived.promise, exchange.then(() => undefined)]));
  }
  const patience = new AbortController();
  const { signal } = patience;
  const isPatienceOver = setTimeout(probe.settings.answerTimeoutMs / PATIENCE_PARTS, undefined, { signal }).catch(
    () => {},
  );
  await Promise.race([Promise.all(held), isPatienceOver]);
  patience.abort();
  gate.resolve();
  return Promise.all(exchanges);
}
