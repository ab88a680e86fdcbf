import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { packPackages } from "./pack-packages.ts";
import { repositoryRoot } from "./repository-root.ts";
import { runSteps, type Step } from "./run-steps.ts";
import { auditStep } from "./steps/audit.ts";
import { buildStep } from "./steps/build.ts";
import { nodeStep } from "./steps/node.ts";
import { node20Step } from "./steps/node20.ts";
import { packStep } from "./steps/pack.ts";
import { packageShapeStep } from "./steps/package-shape.ts";

const folder = join(repositoryRoot, "release");

const tarballsStep: Step = {
  name: "tarballs",
  after: [auditStep.name, buildStep.name, packageShapeStep.name, packStep.name],
  async run() {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    const packed = await packPackages(folder);
    return packed.map(({ tarball }) => `  release/${basename(tarball)}`);
  },
};

const outcomes = await runSteps(
  [nodeStep, node20Step, auditStep, buildStep, packageShapeStep, packStep, tarballsStep],
  {
    slots: 1,
    nowMs: () => performance.now(),
    onStart: ({ name }) => console.log(`▶ ${name}`),
    onEnd: ({ name, status, lines }) =>
      console.log([`${status === "passed" ? "✓" : "✗"} ${name}`, ...lines].join("\n")),
  },
);
process.exitCode = outcomes.every(({ status }) => status === "passed") ? 0 : 1;
