import type { Step } from "../run-steps.ts";

export const nodeStep: Step = {
  name: "node",
  async run() {
    const { node } = process.versions;
    if (Number(node.split(".")[0]) < 24) throw new Error(`verification runs on Node 24; this is ${node}`);
    return [`  Node ${node}, ${process.platform} ${process.arch}`];
  },
};
