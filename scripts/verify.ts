import { runSteps, type Step, type StepOutcome } from "./run-steps.ts";
import { buildStep } from "./steps/build.ts";
import { deadCodeStep } from "./steps/dead-code.ts";
import { demoStep } from "./steps/demo.ts";
import { docsBlocksStep } from "./steps/docs-blocks.ts";
import { extendedTestsStep } from "./steps/extended-tests.ts";
import { formatAndLintStep } from "./steps/format-and-lint.ts";
import { nodeStep } from "./steps/node.ts";
import { node20Step } from "./steps/node20.ts";
import { node20TestsStep } from "./steps/node20-tests.ts";
import { packStep } from "./steps/pack.ts";
import { packageShapeStep } from "./steps/package-shape.ts";
import { runtimesStep } from "./steps/runtimes.ts";
import { testsStep } from "./steps/tests.ts";
import { typesStep } from "./steps/types.ts";

/** The steps of `npm test`, which take minutes. */
const steps: readonly Step[] = [
  nodeStep,
  formatAndLintStep,
  typesStep,
  demoStep,
  deadCodeStep,
  // Last, because it runs alone: the others share the processors, and none waits for a single one to end.
  testsStep,
];

/**
 * The steps of `npm run test:extended`: slower tests, the code blocks of the docs, and tests of the packages when built,
 * installed and in other runtimes.
 */
const extendedSteps: readonly Step[] = [
  nodeStep,
  node20Step,
  buildStep,
  packageShapeStep,
  packStep,
  runtimesStep,
  docsBlocksStep,
  extendedTestsStep,
  node20TestsStep,
];

const SHOWN_FIRST_LINES = 100;
const SHOWN_LAST_LINES = 300;

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

function shorten(lines: readonly string[]): readonly string[] {
  const hidden = lines.length - SHOWN_FIRST_LINES - SHOWN_LAST_LINES;
  if (hidden <= 0) return lines;
  return [...lines.slice(0, SHOWN_FIRST_LINES), `… ${hidden} lines …`, ...lines.slice(-SHOWN_LAST_LINES)];
}

function printEnd({ name, status, durationMs, lines }: StepOutcome): void {
  // The output of a failed step comes last, where it is easy to find.
  if (status === "failed") console.log(`✗ ${name} (${seconds(durationMs)})`);
  else console.log([`✓ ${name} (${seconds(durationMs)})`, ...lines].join("\n"));
}

const isExtended = process.argv[2] === "extended";
const startedAt = performance.now();
const outcomes = await runSteps(isExtended ? extendedSteps : steps, {
  slots: 2,
  nowMs: () => performance.now(),
  onStart: ({ name }) => console.log(`▶ ${name}`),
  onEnd: printEnd,
});

const failed = outcomes.filter(({ status }) => status === "failed");
for (const { name, lines } of failed) console.log([`\n✗ ${name}`, ...shorten(lines)].join("\n"));

console.log("\nverify");
for (const { name, status, durationMs } of outcomes) {
  console.log(`  ${status.padEnd(8)} ${name.padEnd(24)} ${status === "not run" ? "" : seconds(durationMs)}`.trimEnd());
}
const verdict = failed.length === 0 ? "passed" : `failed: ${failed.map(({ name }) => name).join(", ")}`;
console.log(`verify ${verdict} in ${seconds(performance.now() - startedAt)}`);
process.exitCode = failed.length === 0 ? 0 : 1;
