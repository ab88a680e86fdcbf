import type { ChildProcess } from "node:child_process";
import { type BlockLoad, runBlock, type Side } from "./blocks.ts";
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

/** A side that runs in a process of its own. */
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
