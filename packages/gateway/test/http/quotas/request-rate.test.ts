import { describe, expect, it } from "vitest";
import { RequestRate } from "../../../src/http/quotas/request-admission.ts";

function clocked() {
  let now = 5_000;
  const rate = new RequestRate(() => now);
  const takeAll = (workspaceId: string, perSecond: number) => {
    let taken = 0;
    while (rate.take(workspaceId, perSecond) === undefined) taken += 1;
    return taken;
  };
  return { rate, takeAll, pass: (ms: number) => (now += ms) };
}

describe("the rate of a workspace", () => {
  it("lets a burst of one second through, then as many as time gives back", () => {
    const { takeAll, pass } = clocked();
    expect(takeAll("ws_1", 10)).toBe(10);
    expect(takeAll("ws_1", 10)).toBe(0);
    pass(300);
    expect(takeAll("ws_1", 10)).toBe(3);
    pass(60_000);
    expect(takeAll("ws_1", 10)).toBe(10);
  });

  it("has used nothing once time has given all of it back", () => {
    const { rate, takeAll, pass } = clocked();
    takeAll("ws_1", 4);
    pass(1_000);
    expect(rate.used("ws_1", 4)).toBe(0);
  });

  it("says how long to wait, and keeps workspaces apart", () => {
    const { rate, takeAll } = clocked();
    takeAll("ws_1", 4);
    expect(rate.take("ws_1", 4)).toBe(250);
    expect(rate.take("ws_2", 4)).toBeUndefined();
    expect([rate.used("ws_1", 4), rate.used("ws_2", 4), rate.used("ws_3", 4)]).toEqual([4, 1, 0]);
  });

  it("takes a lower limit at once", () => {
    const { takeAll, pass } = clocked();
    expect(takeAll("ws_1", 100)).toBe(100);
    pass(1_000);
    expect(takeAll("ws_1", 2)).toBe(2);
    expect(takeAll("ws_1", 0)).toBe(0);
  });

  it("keeps no bucket of workspaces that were idle for a second", () => {
    const { rate, pass } = clocked();
    for (let id = 0; id < 1_000; id += 1) rate.take(`ws_${id}`, 10);
    pass(1_000);
    rate.take("ws_new", 10);
    expect(rate.used("ws_1", 10)).toBe(0);
    expect(rate.used("ws_new", 10)).toBe(1);
  });
});
