import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readCases, reasonsOf, runEvals } from "@yagate/evals";
import { openAgents } from "./open-agents.ts";

/** The files with the cases of all agents. */
export function caseFiles(): readonly string[] {
  const folder = fileURLToPath(new URL("cases", import.meta.url));
  return globSync("*.yaml", { cwd: folder })
    .toSorted()
    .map((name) => `${folder}/${name}`);
}

/**
 * Runs the cases from their cassettes; with the word `record`, live against the services of the examples, and writes the
 * cassettes.
 *
 * @returns whether all cases passed.
 */
export async function run(print: (line: string) => void, words: string): Promise<boolean> {
  const isRecording = words === "record";
  const desk = await openAgents(isRecording);
  try {
    const mode = isRecording ? "record" : "replay";
    const report = await runEvals(await readCases(...caseFiles()), { client: desk.yagate, mode });
    for (const one of report.cases) print([`${one.outcome}  ${one.caseId}`, ...reasonsOf(one)].join("\n  "));
    return report.summary.passed === report.summary.cases;
  } finally {
    await desk.stop();
  }
}
