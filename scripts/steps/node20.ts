import { installNode20 } from "../node20.ts";
import type { Step } from "../run-steps.ts";

/** Runs before the steps that need Node 20, so that they do not install it at the same time. */
export const node20Step: Step = {
  name: "Node 20",
  after: ["node"],
  async run() {
    const path = await installNode20();
    return path === undefined ? ["  npm has no Node 20 for this platform; nothing is tested on it"] : [];
  },
};
