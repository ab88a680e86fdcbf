import { CommandFailed } from "./command.ts";

/** One step of the verification. */
export interface Step {
  readonly name: string;
  /** Names of the steps that must have passed before this one starts. */
  readonly after?: readonly string[];
  /** Whether it needs the complete machine, so that no other step may run at the same time. */
  readonly isAlone?: boolean;
  /** Runs the step and returns the lines to print. Throws if it fails. */
  run(): Promise<readonly string[]>;
}

export interface StepOutcome {
  readonly name: string;
  readonly status: "passed" | "failed" | "not run";
  readonly durationMs: number;
  readonly lines: readonly string[];
}

export interface RunOptions {
  /** Maximum number of steps that run at the same time. */
  readonly slots: number;
  readonly nowMs: () => number;
  readonly onStart: (step: Step) => void;
  readonly onEnd: (outcome: StepOutcome) => void;
}

/**
 * Runs steps in order, and concurrently if `after` and `isAlone` allow it. After the first failure, it starts no
 * further steps and waits for the running ones, so that no process outlives the run.
 */
export async function runSteps(steps: readonly Step[], options: RunOptions): Promise<readonly StepOutcome[]> {
  refuseUnknownNames(steps);
  const outcomes = new Map<Step, StepOutcome>();
  const running = new Map<Step, Promise<void>>();
  const hasPassed = (name: string) => [...outcomes.values()].some((o) => o.name === name && o.status === "passed");

  const start = async (step: Step) => {
    options.onStart(step);
    const startedAt = options.nowMs();
    const result = await attempt(step);
    const outcome = { name: step.name, durationMs: options.nowMs() - startedAt, ...result };
    outcomes.set(step, outcome);
    running.delete(step);
    options.onEnd(outcome);
  };

  for (;;) {
    const hasFailed = [...outcomes.values()].some((outcome) => outcome.status === "failed");
    for (const step of hasFailed ? [] : steps) {
      if (outcomes.has(step) || running.has(step) || !(step.after ?? []).every(hasPassed)) continue;
      const isBlocked = [...running.keys()].some((other) => other.isAlone) || (step.isAlone && running.size > 0);
      // No overtaking: otherwise, later steps could delay a ready step that waits for a slot again and again.
      if (isBlocked || running.size >= options.slots) break;
      running.set(step, start(step));
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  return steps.map(
    (step) =>
      outcomes.get(step) ?? { name: step.name, status: "not run", durationMs: 0, lines: [] as readonly string[] },
  );
}

async function attempt(step: Step): Promise<Pick<StepOutcome, "status" | "lines">> {
  try {
    return { status: "passed", lines: await step.run() };
  } catch (error) {
    if (error instanceof CommandFailed)
      return { status: "failed", lines: [...error.output.split("\n"), error.message] };
    return { status: "failed", lines: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

function refuseUnknownNames(steps: readonly Step[]): void {
  steps.forEach((step, index) => {
    const earlier = steps.slice(0, index).map(({ name }) => name);
    const unknown = (step.after ?? []).find((name) => !earlier.includes(name));
    if (unknown !== undefined) throw new Error(`"${step.name}" waits for "${unknown}", which is no earlier step`);
  });
}
