import { type Measured, messageOf, runDriver, startDriver } from "../driver.ts";
import { format, spreadOf } from "../spread.ts";

const ROUNDS = 5;

/** Durable executions against the AI SDK's loop in memory: two model turns and one webhook call each, 16 at once. */
export async function benchExecution(): Promise<void> {
  const webhook = startDriver(scriptOf("webhook-server.ts"));
  const { url, secret } = await messageOf<{ url: string; secret: string }>(webhook);
  const rounds: { yagate: Measured; peer: Measured }[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const peer = await runDriver(scriptOf("ai-sdk-driver.ts"), [url]);
      const yagate = await runDriver(scriptOf("yagate-driver.ts"), [url, secret]);
      rounds.push({ yagate, peer });
    }
  } finally {
    webhook.kill();
  }
  const modelTurns = await runDriver(scriptOf("model-turns-driver.ts"), []);
  const rate = (of: Measured) => of.executions / of.seconds;
  const cpu = (of: Measured) => of.cpuMs / of.executions;
  const print = (label: string, values: readonly number[], digits?: number) =>
    console.log(`  ${label.padEnd(52)} ${format(spreadOf(values), digits)}`);

  console.log(`\nExecution, embedded, 16 at once, Node ${process.versions.node}, ${ROUNDS} alternated rounds`);
  print(
    "AI SDK, in memory, unsigned: executions/s",
    rounds.map(({ peer }) => rate(peer)),
    0,
  );
  print(
    "Yagate, journaled (synchronous=FULL), signed",
    rounds.map(({ yagate }) => rate(yagate)),
    0,
  );
  print(
    "rate, ratio (goal: at least 1.7)",
    rounds.map(({ yagate, peer }) => rate(yagate) / rate(peer)),
  );
  print(
    "AI SDK: CPU-ms an execution",
    rounds.map(({ peer }) => cpu(peer)),
    3,
  );
  print(
    "Yagate: CPU-ms an execution",
    rounds.map(({ yagate }) => cpu(yagate)),
    3,
  );
  print(
    "CPU, ratio (goal: at most 0.6)",
    rounds.map(({ yagate, peer }) => cpu(yagate) / cpu(peer)),
  );
  print("of which two scripted turns through the AI SDK", [cpu(modelTurns)], 3);
}

const scriptOf = (file: string) => new URL(file, import.meta.url);
