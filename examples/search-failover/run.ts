import { createNarrator } from "@yagate/example-stage/narrator";
import { setUp } from "./set-up.ts";

/** Asks one question while two of the three searches are down. @returns whether there is an answer with a source. */
export async function run(print: (line: string) => void, words: string): Promise<boolean> {
  const desk = await setUp({ provider: true, mcp: true });
  try {
    const input = words === "" ? "Who may seek asylum in other countries?" : words;
    print("outages  the search of the model's provider, and the MCP server");
    print(`app      asks: ${input}`);
    const execution = await desk.yagate.agents.execute(desk.agentId, { input, onEvent: createNarrator(print) });
    for await (const event of desk.yagate.executions.events(execution.id)) {
      if (event.type === "route.decided") {
        const served = event.intents.map(({ intent, chosen }) => `${intent} by ${chosen ?? "nothing"}`);
        print(`route    turn ${event.turn}: ${served.join(", ")}`);
      }
      if (event.type === "route.changed") print(`route    ${event.error.code}: ${event.from.key} → ${event.to.key}`);
    }
    print(`\nAnswer: ${execution.output?.text ?? execution.error?.message ?? "none"}`);
    return execution.status === "completed";
  } finally {
    await desk.stop();
  }
}
