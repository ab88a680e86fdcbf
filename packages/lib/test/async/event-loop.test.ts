import { expect, it, vi } from "vitest";
import { createYielder, yieldToEventLoop } from "../../src/async/event-loop.ts";

it("others run before the event loop comes back", async () => {
  const order: string[] = [];
  setImmediate(() => order.push("other"));
  await yieldToEventLoop();
  expect([...order, "back"]).toEqual(["other", "back"]);
});

it("work yields when a slice has lasted long enough, and the next slice starts then", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  const yieldNow = createYielder(5);
  clock.mockReturnValue(4.9);
  expect(yieldNow()).toBeUndefined();
  clock.mockReturnValue(5);
  const pause = yieldNow();
  expect(pause).toBeInstanceOf(Promise);
  clock.mockReturnValue(20);
  await pause;
  clock.mockReturnValue(24);
  expect(yieldNow()).toBeUndefined();
  clock.mockReturnValue(25);
  expect(yieldNow()).toBeInstanceOf(Promise);
  clock.mockRestore();
});
