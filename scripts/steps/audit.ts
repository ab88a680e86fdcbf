import { judgeAudit, listedAdvisories } from "../advisories.ts";
import { CommandFailed, runCommand } from "../command.ts";
import { repositoryRoot } from "../repository-root.ts";
import type { Step } from "../run-steps.ts";

/**
 * Requests advisories from the registry. `docs/advisories.md` must explain each one that affects an installed version.
 */
export const auditStep: Step = {
  name: "advisories",
  async run() {
    const verdict = judgeAudit(await audit(), listedAdvisories());
    if ("unanswered" in verdict) {
      return ["  the registry takes no audits: look the packages up by hand before you publish"];
    }
    if (verdict.unlisted.length === 0) return ["  every advisory that was found is explained in docs/advisories.md"];
    throw new Error(`expected a repair, or a reason in docs/advisories.md, for ${verdict.unlisted.join("; ")}`);
  },
};

/** npm exits with status 1 if it found something, and also if the registry did not respond. */
async function audit(): Promise<string> {
  try {
    return await runCommand("npm", ["audit", "--json", "--loglevel=silent"], { cwd: repositoryRoot });
  } catch (error) {
    if (error instanceof CommandFailed) return error.output;
    throw error;
  }
}
