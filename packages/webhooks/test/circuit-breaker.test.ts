import { describe, expect, it } from "vitest";
import { CircuitBreaker, type EndpointVerdict } from "../src/endpoints/circuit-breaker.ts";

/** Ends so many attempts at one moment; false when one of them was not admitted. */
function attempts(breaker: CircuitBreaker, count: number, verdict: EndpointVerdict, now = 0): boolean {
  for (let index = 0; index < count; index += 1) {
    const permit = breaker.admit(now);
    if (permit === undefined) return false;
    breaker.settle(permit, verdict, now);
  }
  return true;
}

function opened(now = 0): CircuitBreaker {
  const breaker = new CircuitBreaker();
  attempts(breaker, 10, "failing", now);
  expect(breaker.stateAt(now).state).toBe("open");
  return breaker;
}

describe("a breaker", () => {
  it.each<[string, number, number, "open" | "closed"]>([
    ["9 of 9 failed", 9, 0, "closed"],
    ["10 of 10 failed", 10, 0, "open"],
    ["7 of 10 failed", 7, 3, "open"],
    ["6 of 10 failed", 6, 4, "closed"],
    ["69 of 99 failed", 69, 30, "closed"],
    ["70 of 100 failed", 70, 30, "open"],
  ])("when %s (%i, and %i worked) is %s", (_name, failing, working, state) => {
    const breaker = new CircuitBreaker();
    attempts(breaker, working, "working");
    attempts(breaker, failing, "failing");
    expect(breaker.stateAt(0).state).toBe(state);
  });

  it("counts nothing that says nothing", () => {
    const breaker = new CircuitBreaker();
    attempts(breaker, 100, "nothing");
    expect(breaker.stateAt(0)).toMatchObject({ state: "closed", attempts: 0, failures: 0 });
  });

  it("forgets what is a minute old", () => {
    const breaker = new CircuitBreaker();
    attempts(breaker, 9, "failing", 500);
    expect(breaker.stateAt(59_999)).toMatchObject({ attempts: 9, failures: 9 });
    expect(breaker.stateAt(60_000)).toMatchObject({ attempts: 0, failures: 0 });
    attempts(breaker, 9, "failing", 60_000);
    expect(breaker.stateAt(60_000).state).toBe("closed");
  });

  it("refuses for 30 s, lets one through, and closes when that works", () => {
    const breaker = opened(1_000);
    expect(breaker.stateAt(1_000)).toMatchObject({ state: "open", restsUntil: 31_000 });
    expect(breaker.admit(30_999)).toBeUndefined();
    const trial = breaker.admit(31_000);
    if (trial === undefined) throw new Error("expected a trial");
    expect(breaker.admit(31_000)).toBeUndefined();
    expect(breaker.stateAt(90_000).state).toBe("half_open");
    breaker.settle(trial, "working", 31_500);
    expect(breaker.stateAt(31_500)).toEqual({ state: "closed", attempts: 0, failures: 0, restsUntil: null });
    expect(attempts(breaker, 9, "failing", 31_500)).toBe(true);
  });

  it("shows the counts that opened it until it closes, however many trials fail", () => {
    const breaker = new CircuitBreaker();
    attempts(breaker, 3, "working");
    attempts(breaker, 7, "failing");
    expect(breaker.stateAt(0)).toEqual({ state: "open", attempts: 10, failures: 7, restsUntil: 30_000 });
    attempts(breaker, 1, "failing", 30_000);
    expect(breaker.stateAt(59_999)).toEqual({ state: "open", attempts: 10, failures: 7, restsUntil: 60_000 });
    expect(breaker.stateAt(300_000)).toEqual({ state: "half_open", attempts: 10, failures: 7, restsUntil: null });
    attempts(breaker, 1, "working", 300_000);
    expect(breaker.stateAt(300_000)).toMatchObject({ state: "closed", attempts: 0, failures: 0 });
  });

  it("rests once more when that fails, and asks the next one when that says nothing", () => {
    const breaker = opened();
    const second = breaker.admit(30_000);
    if (second === undefined) throw new Error("expected a trial");
    breaker.settle(second, "failing", 35_000);
    expect(breaker.admit(64_999)).toBeUndefined();
    const third = breaker.admit(65_000);
    if (third === undefined) throw new Error("expected a trial");
    breaker.settle(third, "nothing", 65_001);
    expect(breaker.admit(65_001)).toBeDefined();
  });

  it("learns nothing from attempts that began before it opened", () => {
    const breaker = new CircuitBreaker();
    const early = [breaker.admit(0), breaker.admit(0)];
    attempts(breaker, 10, "failing");
    const [first, second] = early;
    if (first === undefined || second === undefined) throw new Error("expected permits");
    breaker.settle(first, "working", 10);
    expect(breaker.stateAt(10).state).toBe("open");
    breaker.close();
    breaker.settle(second, "failing", 20);
    expect(breaker.stateAt(20)).toMatchObject({ state: "closed", attempts: 0 });
  });
});
