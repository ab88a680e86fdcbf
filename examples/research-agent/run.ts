import { createNarrator } from "@yagate/example-stage/narrator";
import { checkCitations } from "./check-citations.ts";
import { chooseModel } from "./choose-model.ts";
import { setUp } from "./set-up.ts";

/** Asks one question. @returns whether there is an answer and all its citations are in the sources that were found. */
export async function run(print: (line: string) => void, words: string): Promise<boolean> {
  const { model, why } = chooseModel(process.env);
  print(`model    ${model}: ${why}`);
  const desk = await setUp(model);
  try {
    const input = words === "" ? "Search for who may seek asylum in other countries" : words;
    print(`app      asks: ${input}`);
    const execution = await desk.yagate.agents.execute(desk.agentId, { input, onEvent: createNarrator(print) });
    const answer = execution.output?.text ?? "";
    print(`\nAnswer: ${answer === "" ? (execution.error?.message ?? "none") : answer}`);
    const { sources, unknown, misquoted } = checkCitations(answer, execution.toolCalls);
    print(`\nCitations: ${sources.length} in what the search found, ${unknown.length} in nothing`);
    for (const { id, title, url } of sources) print(`  [${id}] ${title}, ${url}`);
    for (const text of misquoted) print(`  not in its source: “${text}”`);
    return execution.status === "completed" && sources.length > 0 && unknown.length + misquoted.length === 0;
  } finally {
    await desk.stop();
  }
}
