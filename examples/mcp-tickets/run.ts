import { createNarrator } from "@yagate/example-stage/narrator";
import { setUp } from "./set-up.ts";

/** Asks one question. @returns whether the execution completed. */
export async function run(print: (line: string) => void, words: string): Promise<boolean> {
  const desk = await setUp(process.env["EXAMPLE_MODEL"] ?? "scripted/keyword");
  try {
    for (const { toolName, hints } of desk.reviewed) print(`review   ${toolName}: ${JSON.stringify(hints)}`);
    const input = words === "" ? "Find the ticket TCK-7" : words;
    print(`app      asks: ${input}`);
    const execution = await desk.yagate.agents.execute(desk.agentId, { input, onEvent: createNarrator(print) });
    print(`\nAnswer: ${execution.output?.text ?? execution.error?.message ?? "none"}`);
    return execution.status === "completed";
  } finally {
    await desk.stop();
  }
}
