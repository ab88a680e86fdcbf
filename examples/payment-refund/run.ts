import { createNarrator } from "@yagate/example-stage/narrator";
import { setUp } from "./set-up.ts";

/** Runs the example once. @returns whether it succeeded. */
export async function run(print: (line: string) => void, words: string): Promise<boolean> {
  const desk = await setUp(process.env["EXAMPLE_MODEL"] ?? "scripted/keyword");
  try {
    const input = words === "" ? "Refund the amount 1200 of payment pay_1001" : words;
    print(`app      asks: ${input}`);
    const execution = await desk.yagate.agents.execute(desk.agentId, { input, onEvent: createNarrator(print) });
    print(`\nAnswer: ${execution.output?.text ?? execution.error?.message ?? "none"}`);
    for (const { attempts } of execution.toolCalls) {
      const [attempt] = attempts;
      if (attempt === undefined) continue;
      const { request } = await desk.yagate.attempts.get(attempt.id);
      print(`\nThe record of ${attempt.method} ${attempt.url}: ${JSON.stringify(request?.headers)}`);
    }
    return execution.status === "completed";
  } finally {
    await desk.stop();
  }
}
