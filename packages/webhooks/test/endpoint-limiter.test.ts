import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { EndpointLimiter, type RejectionReason, type Slot } from "../src/endpoints/endpoint-limiter.ts";

const patient = { signals: [], forMs: 600_000 };

function trafficOf(concurrency: number, queue = 100, now: () => number = () => 0): EndpointLimiter {
  return new EndpointLimiter({ concurrency, queue }, now);
}

function enter(traffic: EndpointLimiter): Slot {
  const slot = traffic.enter();
  if (slot === undefined || typeof slot === "string") throw new Error(`expected a slot, and there is ${slot}`);
  return slot;
}

function wait(traffic: EndpointLimiter, patience: Parameters<EndpointLimiter["wait"]>[0] = patient) {
  expect(traffic.enter()).toBeUndefined();
  return traffic.wait(patience);
}

function slotOf(outcome: Slot | RejectionReason | undefined): Slot {
  if (outcome === undefined || typeof outcome === "string") throw new Error(`expected a slot, and there is ${outcome}`);
  return outcome;
}

describe("the traffic to an endpoint", () => {
  it("lets so many attempts go at once, and the others in the order in which they came", async () => {
    const traffic = trafficOf(2);
    const going = [enter(traffic), enter(traffic)];
    const order: number[] = [];
    const waiting = [1, 2, 3].map((number) =>
      wait(traffic).then((slot) => {
        order.push(number);
        return slot;
      }),
    );
    expect(traffic.state()).toMatchObject({ inFlight: 2, queued: 3 });
    going[0]?.end("working");
    const first = slotOf(await waiting[0]);
    expect([order, traffic.state().inFlight]).toEqual([[1], 2]);
    first.end("working");
    going[1]?.end("working");
    slotOf(await waiting[1]).end("working");
    slotOf(await waiting[2]).end("working");
    expect(order).toEqual([1, 2, 3]);
    expect(traffic.state()).toMatchObject({ inFlight: 0, queued: 0 });
  });

  it("lets nobody overtake those that wait", async () => {
    const traffic = trafficOf(1);
    const first = enter(traffic);
    const second = wait(traffic);
    first.end("working");
    // The place was given away before its new owner could run.
    expect(traffic.enter()).toBeUndefined();
    slotOf(await second).end("working");
    expect(typeof traffic.enter()).toBe("object");
  });

  it.each(["first", "middle", "last"])("lets the %s one of those that wait leave at once", async (which) => {
    const traffic = trafficOf(1);
    const going = enter(traffic);
    const controllers = ["first", "middle", "last"].map((name) => ({ name, controller: new AbortController() }));
    const order: string[] = [];
    const waiting = controllers.map(async ({ name, controller }) => {
      const slot = await wait(traffic, { signals: [controller.signal], forMs: 600_000 });
      if (slot === "cancelled") return name;
      order.push(name);
      slotOf(slot).end("working");
      return undefined;
    });
    controllers.find(({ name }) => name === which)?.controller.abort();
    expect(traffic.state()).toMatchObject({ inFlight: 1, queued: 2 });
    going.end("working");
    expect((await Promise.all(waiting)).filter((name) => name !== undefined)).toEqual([which]);
    expect(order).toEqual(["first", "middle", "last"].filter((name) => name !== which));
    expect(traffic.state()).toMatchObject({ inFlight: 0, queued: 0 });
  });

  it("ends waiting when its time is over, or when any of its signals says so", async () => {
    const traffic = trafficOf(1);
    enter(traffic);
    const controller = new AbortController();
    const signals = [new AbortController().signal, controller.signal];
    const aborted = wait(traffic, { signals, forMs: 600_000 });
    expect(await wait(traffic, { signals: [], forMs: 5 })).toBe("out_of_time");
    controller.abort();
    expect(await aborted).toBe("cancelled");
    expect(traffic.state()).toMatchObject({ inFlight: 1, queued: 0 });
  });

  it("leaves nothing behind at signals that outlive the waiting", async () => {
    const traffic = trafficOf(1);
    const { signal } = new AbortController();
    const patience = { signals: [signal, AbortSignal.any([signal])], forMs: 600_000 };
    let going = enter(traffic);
    for (let count = 0; count < 100; count += 1) {
      const next = wait(traffic, patience);
      expect(await wait(traffic, { ...patience, forMs: 0 })).toBe("out_of_time");
      going.end("working");
      going = slotOf(await next);
    }
    expect(patience.signals.map((each) => getEventListeners(each, "abort"))).toEqual([[], []]);
  });

  it("refuses whoever finds the queue full", () => {
    const traffic = trafficOf(1, 2);
    enter(traffic);
    void wait(traffic);
    void wait(traffic);
    expect(traffic.enter()).toBe("queue_full");
    expect(trafficOf(1, 0).enter()).toBeTypeOf("object");
  });

  it("tells everybody who waits when the circuit opens, and nobody waits while it is open", async () => {
    let now = 0;
    const traffic = trafficOf(10, 100, () => now);
    const failing = Array.from({ length: 10 }, () => enter(traffic));
    const late = [wait(traffic), wait(traffic)];
    for (const slot of failing.slice(0, 9)) slot.end("failing");
    for (const slot of await Promise.all(late)) slotOf(slot).end("failing");
    expect(traffic.state().breaker.state).toBe("open");
    expect(traffic.enter()).toBe("circuit_open");
    now = 30_000;
    const trial = enter(traffic);
    expect(traffic.enter()).toBe("circuit_open");
    trial.end("working");
    expect(traffic.state().breaker.state).toBe("closed");
    failing[9]?.end("failing");
    expect(traffic.state()).toMatchObject({ inFlight: 0, breaker: { attempts: 0 } });
  });

  it("empties its queue at once when the circuit opens under it", async () => {
    const traffic = trafficOf(1);
    let going = enter(traffic);
    const waiting = Array.from({ length: 12 }, () => wait(traffic));
    for (const next of waiting.slice(0, 9)) {
      going.end("failing");
      going = slotOf(await next);
    }
    going.end("failing");
    expect(await Promise.all(waiting.slice(9))).toEqual(["circuit_open", "circuit_open", "circuit_open"]);
    expect(traffic.state()).toMatchObject({ inFlight: 0, queued: 0 });
  });

  it("gets requests again as soon as a person closes the circuit", () => {
    const traffic = trafficOf(1);
    for (let attempt = 0; attempt < 10; attempt += 1) enter(traffic).end("failing");
    expect(traffic.enter()).toBe("circuit_open");
    traffic.closeBreaker();
    enter(traffic).end("working");
    expect(traffic.isBusy).toBe(false);
  });
});
