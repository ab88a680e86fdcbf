import { builtinTools } from "@yagate/builtins/builtin-tools";
import { type Agent, YagateError } from "@yagate/protocol";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { createToolset } from "../../gateway/src/tools/toolset/toolset.ts";
import type { Dispatcher } from "../../webhooks/src/port.ts";

/** Sends nothing: only arguments are checked here. */
const DISPATCHER: Dispatcher = {
  executorOf: () => ({
    render: () => Promise.reject(new YagateError("INTERNAL", "expected that nothing is rendered")),
    execute: () => Promise.reject(new YagateError("INTERNAL", "expected that nothing is sent")),
  }),
};

/** Checks the arguments of calls of every tool of an agent, each again and again, and counts what that compiles. */
export async function countCompilations(agent: Agent, rounds: number) {
  let compiled = 0;
  const argumentValidator = createArgumentValidator({
    onCompile: () => {
      compiled += 1;
    },
  });
  const toolsetOptions = {
    dispatcher: DISPATCHER,
    builtins: builtinTools(),
    argumentValidator,
    now: Date.now,
  };
  const { tools, refusalOf } = await createToolset(agent, toolsetOptions);
  let calls = 0;
  const schemas = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, schemaHash } of tools.values()) {
      schemas.add(schemaHash);
      const refusal = refusalOf({ name, parameters: { orderId: `ORD-${round}` } });
      if (refusal !== undefined) throw new Error(refusal.message);
      calls += 1;
    }
  }
  return { compiled, calls, schemas: schemas.size };
}
