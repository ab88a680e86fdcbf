import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CircuitBreaker, type EndpointVerdict, type Permit } from "../src/endpoints/circuit-breaker.ts";

type Step =
  | { readonly kind: "begin" }
  | { readonly kind: "end"; readonly which: number; readonly verdict: EndpointVerdict }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "close" };

const verdict = fc.constantFrom<EndpointVerdict>("failing", "failing", "failing", "failing", "working", "nothing");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 60, arbitrary: fc.constant<Step>({ kind: "begin" }) },
  { weight: 60, arbitrary: fc.record({ kind: fc.constant("end" as const), which: fc.nat(20), verdict }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 999, 5_000, 29_999, 30_000),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "close" }) },
);

/** The rule as it is written down, with everything that ever happened kept in a list. */
class Model {
  #ended: { second: number; hasFailed: boolean }[] = [];
  #openedAt: number | undefined;
  #trial: number | undefined;
  #epoch = 0;
  #next = 0;

  begin(now: number): { id: number; epoch: number } | undefined {
    const id = this.#next;
    if (this.#openedAt !== undefined) {
      if (this.#trial !== undefined || now < this.#openedAt + 30_000) return undefined;
      this.#trial = id;
    }
    this.#next += 1;
    return { id, epoch: this.#epoch };
  }

  end({ id, epoch }: { id: number; epoch: number }, said: EndpointVerdict, now: number): void {
    if (epoch !== this.#epoch) return;
    if (id === this.#trial) {
      this.#trial = undefined;
      if (said === "working") this.close();
      if (said === "failing") this.#open(now);
      return;
    }
    if (said === "nothing") return;
    this.#ended.push({ second: Math.floor(now / 1_000), hasFailed: said === "failing" });
    const recent = this.#recent(now);
    const failed = recent.filter(({ hasFailed }) => hasFailed).length;
    if (recent.length >= 10 && failed / recent.length >= 0.7) this.#open(now);
  }

  close(): void {
    this.#epoch += 1;
    this.#openedAt = undefined;
    this.#trial = undefined;
    this.#ended = [];
  }

  stateAt(now: number) {
    if (this.#openedAt !== undefined) return now < this.#openedAt + 30_000 ? "open" : "half_open";
    const recent = this.#recent(now);
    return `closed: ${recent.filter(({ hasFailed }) => hasFailed).length} of ${recent.length}`;
  }

  #recent(now: number) {
    return this.#ended.filter(({ second }) => second > Math.floor(now / 1_000) - 60);
  }

  #open(now: number): void {
    this.#epoch += 1;
    this.#openedAt = now;
    this.#ended = [];
  }
}

describe("a circuit breaker", () => {
  it("does what a list of everything that happened would do", () => {
    let opened = 0;
    let halfOpen = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 60, maxLength: 300 }), fc.nat(100_000), (steps, startedAt) => {
        const breaker = new CircuitBreaker();
        const model = new Model();
        const running: { permit: Permit; twin: { id: number; epoch: number } }[] = [];
        let now = startedAt;
        for (const each of steps) {
          if (each.kind === "wait") now += each.ms;
          if (each.kind === "close") {
            breaker.close();
            model.close();
          }
          if (each.kind === "begin") {
            const permit = breaker.admit(now);
            const twin = model.begin(now);
            expect(permit !== undefined).toBe(twin !== undefined);
            if (permit !== undefined && twin !== undefined) running.push({ permit, twin });
          }
          if (each.kind === "end" && running.length > 0) {
            const [ended] = running.splice(each.which % running.length, 1);
            if (ended === undefined) continue;
            breaker.settle(ended.permit, each.verdict, now);
            model.end(ended.twin, each.verdict, now);
          }
          const { state, attempts, failures, restsUntil } = breaker.stateAt(now);
          expect(state === "closed" ? `closed: ${failures} of ${attempts}` : state).toBe(model.stateAt(now));
          expect(restsUntil === null).toBe(state !== "open");
          if (state === "open") opened += 1;
          if (state === "half_open") halfOpen += 1;
        }
      }),
      { numRuns: 300 },
    );
    // The histories have been to every state.
    expect(opened).toBeGreaterThan(100);
    expect(halfOpen).toBeGreaterThan(10);
  });
});
