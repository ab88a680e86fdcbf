import { defineTool, type ToolCallback, type ToolContext } from "@yagate/handler";
import { startService } from "./services.ts";

/** A service whose tool hands its work on: what somebody does about it later is the test's. */
export interface DeferringService {
  readonly url: string;
  /** How often the tool ran. */
  readonly runs: number;
  /** The callback of the next call that ran. */
  deferred(): Promise<ToolCallback>;
}

/** @param run - what the tool does instead of deferring. */
export async function startDeferringService(
  secret: string,
  run: (context: ToolContext, runs: number) => unknown = ({ defer }) => defer(),
): Promise<DeferringService> {
  const callbacks: ToolCallback[] = [];
  let runs = 0;
  let tell = () => {};
  const tool = defineTool({
    name: "lookup_order",
    description: "Looks up an order.",
    parameters: { type: "object" },
    async execute(_parameters, context) {
      runs += 1;
      const { callback } = context;
      try {
        return await run(context, runs);
      } finally {
        if (callback !== undefined) callbacks.push(callback);
        tell();
      }
    },
  });
  const url = await startService(secret, [tool]);
  return {
    url,
    get runs() {
      return runs;
    },
    async deferred() {
      for (;;) {
        const next = callbacks.shift();
        if (next !== undefined) return next;
        await new Promise<void>((resolve) => {
          tell = resolve;
        });
      }
    },
  };
}
