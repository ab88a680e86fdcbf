import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { format, spreadOf } from "../spread.ts";
import { createBareSender } from "./bare-sender.ts";
import { measureSending, type SendingMeasured } from "./measure-sending.ts";
import { createSignedSender } from "./signed-sender.ts";

const ROUNDS = 11;
const LOAD = { calls: 6_000, concurrency: 16 };

/**
 * Signed, guarded, recorded attempts against requests of undici's own pool to the same server: once with the very bytes
 * of a signed call, made beforehand, and once with its body alone.
 */
export async function benchDispatch(): Promise<void> {
  const path = fileURLToPath(new URL("../execution/webhook-server.ts", import.meta.url));
  const execArgv = ["--conditions=@yagate/source"];
  const server = fork(path, [], { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [{ url }] = await once(server, "message");
  const signed = await createSignedSender(url);
  const message = await signed.capture();
  const same = createBareSender(url, message);
  const small = createBareSender(url, { headers: { "content-type": "application/json" }, body: message.body });
  const rounds: { signed: SendingMeasured; same: SendingMeasured; small: SendingMeasured }[] = [];
  try {
    for (let round = -2; round < ROUNDS; round += 1) {
      const measured = {
        same: await measureSending(same.send, LOAD),
        signed: await measureSending(signed.send, LOAD),
        small: await measureSending(small.send, LOAD),
      };
      // The first two warm up.
      if (round >= 0) rounds.push(measured);
    }
  } finally {
    await Promise.all([signed.close(), same.close(), small.close()]);
    server.kill();
  }

  const print = (label: string, figure: (round: (typeof rounds)[number]) => number, digits?: number) =>
    console.log(`  ${label.padEnd(50)} ${format(spreadOf(rounds.map(figure)), digits)}`);
  const setting = `${LOAD.concurrency} at once, Node ${process.versions.node}, ${ROUNDS} alternated rounds`;
  console.log(`\nDispatch, ${setting} of ${LOAD.calls} calls, ${message.body.byteLength} bytes`);
  print("Pool.request of undici, the same bytes: a second", ({ same }) => same.perSecond, 0);
  print("Pool.request of undici, the body alone: a second", ({ small }) => small.perSecond, 0);
  print("signed dispatch: a second", ({ signed }) => signed.perSecond, 0);
  print("rate, ratio to the same bytes (goal: at least 0.8)", ({ signed, same }) => signed.perSecond / same.perSecond);
  print("rate, ratio to the body alone", ({ signed, small }) => signed.perSecond / small.perSecond);
  print("Pool.request, the same bytes: CPU-ms a call", ({ same }) => same.cpuMs, 4);
  print("signed dispatch: CPU-ms a call", ({ signed }) => signed.cpuMs, 4);
  print("CPU, ratio to the same bytes", ({ signed, same }) => signed.cpuMs / same.cpuMs);
}
