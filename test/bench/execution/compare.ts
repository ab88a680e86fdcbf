import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { format, spreadOf } from "../spread.ts";

const ROUNDS = 5;

/** What a driver measured of itself. */
export interface Measured {
  readonly executions: number;
  readonly seconds: number;
  readonly cpuMs: number;
}

/** Durable executions against the AI SDK's loop in memory: two model turns and one webhook call each, 16 at once. */
export async function benchExecution(): Promise<void> {
  const webhook = start("webhook-server.ts");
  const { url, secret } = await message<{ url: string; secret: string }>(webhook);
  const rounds: { yagate: Measured; traced: Measured; peer: Measured }[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const peer = await measure("ai-sdk-driver.ts", [url]);
      const yagate = await measure("yagate-driver.ts", [url, secret]);
      const traced = await measure("yagate-driver.ts", [url, secret, "traced"]);
      rounds.push({ yagate, traced, peer });
    }
  } finally {
    webhook.kill();
  }
  const modelTurns = await measure("model-turns-driver.ts", []);
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
  print(
    "Yagate with spans: rate, against without",
    rounds.map(({ yagate, traced }) => rate(traced) / rate(yagate)),
  );
  print(
    "Yagate with spans: CPU, against without",
    rounds.map(({ yagate, traced }) => cpu(traced) / cpu(yagate)),
  );
  print("of which two scripted turns through the AI SDK", [cpu(modelTurns)], 3);
}

function start(file: string, args: readonly string[] = []): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, args, { execArgv: ["--conditions=@yagate/source"], stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

async function measure(file: string, args: readonly string[]): Promise<Measured> {
  const child = start(file, args);
  const measured = await message<Measured>(child);
  await once(child, "exit");
  return measured;
}

/** The first message of a child; a child that ends without one has failed. */
async function message<Content>(child: ChildProcess): Promise<Content> {
  return new Promise((resolve, reject) => {
    child.once("message", (content) => resolve(content as Content));
    child.once("exit", (code) => reject(new Error(`a driver ended with ${code} before it had measured anything`)));
  });
}
