import { verifyCall } from "@yagate/handler";
import { generateSigningSecret, sign } from "@yagate/protocol";
import { callBody } from "../call-body.ts";
import { format, spreadOf } from "../spread.ts";
import { createSynchronousVerifier } from "./synchronous-verifier.ts";

const ROUNDS = 9;
const ROUND_MS = 300;
const BODY_BYTES = 1_024;

/** Verification of a 1 KB call by the kit, against a hand-written synchronous verifier that makes the same checks. */
export async function benchVerification(): Promise<void> {
  const secret = generateSigningSecret();
  const now = Date.now();
  const body = callBody(now, BODY_BYTES);
  const headers = { "x-ya-signature": await sign(body, [secret]) };
  const options = { secrets: [secret], now: () => now };
  const synchronous = createSynchronousVerifier(secret, () => now);

  const kit = () => verifyCall({ headers, body }, options);
  const byHand = () => synchronous(headers["x-ya-signature"], body);
  await rate(kit);
  await rate(byHand);
  const rounds: { kit: number; byHand: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ byHand: await rate(byHand), kit: await rate(kit) });

  console.log(`\nVerification, 1 KB, Node ${process.versions.node}, ${ROUNDS} alternated rounds of ${ROUND_MS} ms`);
  console.log(`  hand-written, synchronous   ${format(spreadOf(rounds.map((r) => r.byHand)), 0)} a second`);
  console.log(`  verifyCall of the kit       ${format(spreadOf(rounds.map((r) => r.kit)), 0)} a second`);
  console.log(`  ratio (goal: at least 0.85) ${format(spreadOf(rounds.map((r) => r.kit / r.byHand)))}`);
}

/** Operations a second; asynchronous ones are awaited one after another, as a server's requests would be. */
async function rate(operation: () => unknown): Promise<number> {
  const until = performance.now() + ROUND_MS;
  const start = performance.now();
  let count = 0;
  while (performance.now() < until) {
    for (let batch = 0; batch < 200; batch += 1) {
      const result = operation();
      if (result instanceof Promise) await result;
    }
    count += 200;
  }
  return (count / (performance.now() - start)) * 1_000;
}
