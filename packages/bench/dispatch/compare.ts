import { openSide } from "../block-driver.ts";
import { compareBlocks, cpuOf, ratesOf } from "../blocks.ts";
import { messageOf, startDriver } from "../driver.ts";
import { printSpread, ratioOf } from "../ratio.ts";
import { spreadOf } from "../spread.ts";
import type { Message } from "./bare-sender.ts";
import { createSignedSender } from "./signed-sender.ts";

const ROUNDS = 15;
const BLOCK = { operations: 6_000, concurrency: 16 };
const WARM_UP_BLOCKS = 2;

/**
 * Signed, guarded, recorded attempts against requests of undici's own pool to the same server: once with the bytes of a
 * signed call, prepared in advance, and once with its body alone.
 */
export async function benchDispatch(): Promise<void> {
  const webhook = startDriver(new URL("../execution/webhook-server.ts", import.meta.url));
  const { url } = await messageOf<{ url: string }>(webhook);
  const message = await captureCall(url);
  const alone: Message = { headers: { "content-type": "application/json" }, text: message.text };
  const open = (...args: string[]) => openSide(new URL("driver.ts", import.meta.url), [url, ...args]);
  const [signed, same, small] = await Promise.all([open(), open(JSON.stringify(message)), open(JSON.stringify(alone))]);
  try {
    const sides = { signed: signed.run, same: same.run, small: small.run };
    const blocks = await compareBlocks(sides, { rounds: ROUNDS, block: BLOCK, warmUpBlocks: WARM_UP_BLOCKS });
    const setting = `${BLOCK.concurrency} at once, Node ${process.versions.node}, ${ROUNDS} rounds of ${BLOCK.operations} calls in random order`;
    console.log(`\nDispatch, ${setting}, ${Buffer.byteLength(message.text)} bytes`);
    printSpread("Pool.request of undici, the same bytes: calls/s", spreadOf(ratesOf(blocks.same)), 0);
    printSpread("Pool.request of undici, the body alone: calls/s", spreadOf(ratesOf(blocks.small)), 0);
    printSpread("signed dispatch: calls/s", spreadOf(ratesOf(blocks.signed)), 0);
    printSpread("Pool.request, the same bytes: CPU-ms a call", spreadOf(cpuOf(blocks.same)), 4);
    printSpread("signed dispatch: CPU-ms a call", spreadOf(cpuOf(blocks.signed)), 4);
    printSpread(
      "rate, ratio to the same bytes (goal: at least 0.7)",
      ratioOf(ratesOf(blocks.signed), ratesOf(blocks.same)),
    );
    printSpread("rate, ratio to the body alone", ratioOf(ratesOf(blocks.signed), ratesOf(blocks.small)));
    printSpread("CPU, ratio to the same bytes (goal: at most 1.45)", ratioOf(cpuOf(blocks.signed), cpuOf(blocks.same)));
  } finally {
    for (const side of [signed, same, small]) side.close();
    webhook.kill();
  }
}

async function captureCall(url: string): Promise<Message> {
  const sender = await createSignedSender(url);
  try {
    return await sender.capture();
  } finally {
    await sender.close();
  }
}
