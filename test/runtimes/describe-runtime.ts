import { describe, it } from "vitest";
import { describeAdapter } from "../../packages/handler/test/adapters/adapter-suite.ts";
import { connectTo } from "../../packages/handler/test/adapters/connect.ts";
import type { PlatformBinary } from "./platform-binary.ts";
import { type RuntimeCommand, startRuntime } from "./runtime-process.ts";

/** A runtime that serves the suite's handler. */
export interface Runtime {
  readonly name: string;
  readonly binary: PlatformBinary;
  /** Why a tool can't learn that its client has left; absent where it can. */
  readonly leavingUnseen?: string;
  toCommand(path: string): RuntimeCommand | Promise<RuntimeCommand>;
}

/** Holds a runtime to what every adapter is held to, or says why it can't be had here. */
export function describeRuntime({ name, binary, leavingUnseen, toCommand }: Runtime): void {
  if ("missing" in binary) {
    describe(name, () => it.skip(binary.missing, () => {}));
    return;
  }
  describeAdapter({
    name,
    leavingUnseen,
    async mount() {
      const { port, stop } = await startRuntime(await toCommand(binary.path));
      return { ...connectTo({ port, path: "/tools" }), close: stop };
    },
  });
}
