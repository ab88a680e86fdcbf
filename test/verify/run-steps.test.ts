import { describe, expect, it } from "vitest";
import { CommandFailed } from "../../scripts/command.ts";
import { runSteps, type Step } from "../../scripts/run-steps.ts";

/** Steps that end when they are told to, and a record of what started and ended. */
function controlled(slots = 2) {
  const log: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  let now = 0;
  const step = (name: string, rest: Omit<Step, "name" | "run"> = {}): Step => ({
    name,
    ...rest,
    run: () =>
      new Promise((resolve, reject) => {
        ends.set(name, (error) => (error === undefined ? resolve([`${name} is done`]) : reject(error)));
      }),
  });
  const run = (...steps: readonly Step[]) =>
    runSteps(steps, {
      slots,
      nowMs: () => now,
      onStart: ({ name }) => log.push(`start ${name}`),
      onEnd: ({ name, status }) => log.push(`${status} ${name}`),
    });
  const settle = async (name: string, error?: Error) => {
    now += 1000;
    ends.get(name)?.(error);
    await new Promise(setImmediate);
  };
  return { log, step, run, settle };
}

describe("steps", () => {
  it("run side by side in their slots, and report in their own order", async () => {
    const { log, step, run, settle } = controlled();
    const running = run(step("a"), step("b"), step("c"));
    expect(log).toEqual(["start a", "start b"]);
    await settle("b");
    expect(log).toEqual(["start a", "start b", "passed b", "start c"]);
    await settle("c");
    await settle("a");
    expect(await running).toEqual([
      { name: "a", status: "passed", durationMs: 3000, lines: ["a is done"] },
      { name: "b", status: "passed", durationMs: 1000, lines: ["b is done"] },
      { name: "c", status: "passed", durationMs: 1000, lines: ["c is done"] },
    ]);
  });

  it("wait for the steps that they need", async () => {
    const { log, step, run, settle } = controlled();
    const running = run(step("a"), step("b", { after: ["a"] }), step("c"));
    expect(log).toEqual(["start a", "start c"]);
    await settle("a");
    expect(log).toContain("start b");
    await settle("b");
    await settle("c");
    await running;
  });

  it("that need the machine alone are neither joined nor overtaken", async () => {
    const { log, step, run, settle } = controlled();
    const running = run(step("a"), step("b", { isAlone: true }), step("c"));
    expect(log).toEqual(["start a"]);
    await settle("a");
    expect(log.at(-1)).toBe("start b");
    await settle("b");
    expect(log.at(-1)).toBe("start c");
    await settle("c");
    await running;
  });

  it("do not start after a failure; what runs is awaited", async () => {
    const { log, step, run, settle } = controlled();
    const running = run(step("a"), step("b"), step("c"), step("d", { after: ["a"] }));
    await settle("a", new CommandFailed("tool ended with status 3", "what it printed"));
    expect(log).toEqual(["start a", "start b", "failed a"]);
    await settle("b");
    expect(await running).toMatchObject([
      { name: "a", status: "failed", lines: ["what it printed", "tool ended with status 3"] },
      { name: "b", status: "passed" },
      { name: "c", status: "not run" },
      { name: "d", status: "not run" },
    ]);
  });

  it("can't wait for a step that does not come before them", async () => {
    const { step, run } = controlled();
    await expect(run(step("a", { after: ["b"] }), step("b"))).rejects.toThrow('"a" waits for "b"');
  });
});
