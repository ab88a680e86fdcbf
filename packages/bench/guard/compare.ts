import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { measureSending, type SendingMeasured } from "../dispatch/measure-sending.ts";
import { createSignedSender } from "../dispatch/signed-sender.ts";
import { format, spreadOf } from "../spread.ts";
import { createDispatchEgress, createRequestEgress } from "./unguarded-egress.ts";

const ROUNDS = 15;
const WARM_UP_ROUNDS = 3;
const LOAD = { calls: 6_000, concurrency: 16 };

type Name = "guarded" | "requested" | "dispatched";
type Round = Readonly<Record<Name, SendingMeasured>>;

/** Signed calls of one dispatcher to one server, with the guard and with undici's own pool in its place. */
export async function benchGuard(): Promise<void> {
  const path = fileURLToPath(new URL("../execution/webhook-server.ts", import.meta.url));
  const execArgv = ["--conditions=@yagate/source"];
  const server = fork(path, [], { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [{ url }] = await once(server, "message");
  const senders = {
    guarded: await createSignedSender(url),
    requested: await createSignedSender(url, createRequestEgress(url)),
    dispatched: await createSignedSender(url, createDispatchEgress(url)),
  };
  const names: readonly Name[] = ["guarded", "requested", "dispatched"];
  const rounds: Round[] = [];
  try {
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      const measured: Partial<Record<Name, SendingMeasured>> = {};
      // Each finds the heap as the one before has left it, so they take turns in going first.
      for (const offset of names.keys()) {
        const name = names[(round + WARM_UP_ROUNDS + offset) % names.length] ?? "guarded";
        measured[name] = await measureSending(senders[name].send, LOAD);
      }
      const { guarded, requested, dispatched } = measured;
      if (round >= 0 && guarded && requested && dispatched) rounds.push({ guarded, requested, dispatched });
    }
  } finally {
    await Promise.all(Object.values(senders).map((sender) => sender.close()));
    server.kill();
  }

  const print = (label: string, figure: (round: Round) => number, digits?: number) =>
    console.log(`  ${label.padEnd(58)} ${format(spreadOf(rounds.map(figure)), digits)}`);
  const setting = `${LOAD.concurrency} at once, Node ${process.versions.node}, ${ROUNDS} alternated rounds`;
  console.log(`\nGuard, ${setting} of ${LOAD.calls} signed calls`);
  print("guarded: a second", ({ guarded }) => guarded.perSecond, 0);
  print("guarded: CPU-ms a call", ({ guarded }) => guarded.cpuMs, 4);
  print("Pool.dispatch in its place: CPU-ms a call", ({ dispatched }) => dispatched.cpuMs, 4);
  print("Pool.request in its place: CPU-ms a call", ({ requested }) => requested.cpuMs, 4);
  print(
    "CPU, ratio to Pool.dispatch (goal: at most 1.15)",
    ({ guarded, dispatched }) => guarded.cpuMs / dispatched.cpuMs,
  );
  print("CPU, ratio to Pool.request", ({ guarded, requested }) => guarded.cpuMs / requested.cpuMs);
  print("rate, ratio to Pool.dispatch", ({ guarded, dispatched }) => guarded.perSecond / dispatched.perSecond);
}
