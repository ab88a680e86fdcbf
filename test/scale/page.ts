import { killedSentence, quietSentence, type Results, reportTables } from "./report.ts";

/** The page whose tables are made from results. */
export const PAGE = "docs/scale-measurements.md";

/** Puts what was measured and simulated between the page's marks. @throws Error when it lacks one. */
export function fillPage(page: string, results: Results): string {
  const parts = {
    ...reportTables(results),
    killed: killedSentence(results),
    quiet: quietSentence(results),
    measured: measuredSentence(results),
  };
  let filled = page;
  for (const [name, text] of Object.entries(parts)) {
    const marked = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- end -->)`);
    if (!marked.test(filled)) throw new Error(`expected a place for ${name} in ${PAGE}`);
    filled = filled.replace(marked, (_all, begin: string, end: string) => `${begin}\n${text}\n\n${end}`);
  }
  return filled;
}

/** From this share of the CPU time that other programs use, the CPU times are said to be too high. */
const BUSY = 0.1;

function measuredSentence({ measuredOn, commit, machine, otherPrograms, leavesOut }: Results): string {
  const share = otherPrograms < 0.01 ? "less than 1" : Math.round(otherPrograms * 100);
  const consequence = otherPrograms < BUSY ? "" : ", so the CPU times are high and approximate";
  const since = leavesOut === undefined ? "" : ` Added later and not included: ${leavesOut}.`;
  return `Measured on ${measuredOn} at commit ${commit}: ${machine}. Other programs used ${share}% of the machine's CPU time${consequence}.${since}`;
}
