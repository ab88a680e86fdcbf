import type { ChildProcess } from "node:child_process";
import { type Block, type BlockLoad, runBlock, type Side } from "./blocks.ts";
import { messageOf, startDriver } from "./driver.ts";

/** In a driver process: runs the blocks that the parent asks for, until the parent disconnects. */
export function serveBlocks(operation: () => unknown, onDisconnect: () => Promise<void> = async () => {}): void {
  process.on("message", (load: BlockLoad) => {
    void runBlock(operation, load).then((block) => process.send?.(block));
  });
  process.once("disconnect", () => {
    void onDisconnect().finally(() => process.exit());
  });
  process.send?.("ready");
}

/** A side that runs in a separate process. */
export interface DriverSide {
  readonly run: Side;
  readonly child: ChildProcess;
  close(): void;
}

/** Starts a driver that calls {@link serveBlocks}, and waits until it is ready. */
export async function openSide(script: URL, args: readonly string[] = []): Promise<DriverSide> {
  const child = startDriver(script, args);
  await messageOf(child);
  return {
    child,
    run(load) {
      const block = messageOf<Awaited<ReturnType<Side>>>(child);
      child.send(load);
      return block;
    },
    close: () => child.disconnect(),
  };
}

/** In a server's process: sends `ready`, and then the CPU time of the process in ms whenever the parent asks. */
export function reportCpu(ready: unknown, onDisconnect: () => Promise<void> = async () => {}): void {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1_000);
  });
  process.once("disconnect", () => {
    void onDisconnect().finally(() => process.exit());
  });
  process.send?.(ready);
}

/** Runs a block of requests from this process; its CPU time is that of a server that calls {@link reportCpu}. */
export async function runServedBlock(
  server: ChildProcess,
  request: () => Promise<void>,
  load: BlockLoad,
): Promise<Block> {
  const cpuMs = () => {
    const answer = messageOf<number>(server);
    server.send("cpu");
    return answer;
  };
  const before = await cpuMs();
  const block = await runBlock(request, load);
  return { ...block, cpuMs: (await cpuMs()) - before };
}
