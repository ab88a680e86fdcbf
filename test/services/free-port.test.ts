import { expect, it, vi } from "vitest";
import { onFreePort } from "./free-port.ts";

const taken = new Error("could not bind: Address already in use");

it("a server whose port was taken meanwhile is started on another one", async () => {
  const start = vi.fn(async (port: number) => port);
  start.mockRejectedValueOnce(taken);
  const port = await onFreePort(start);
  expect(start.mock.calls).toEqual([[expect.any(Number)], [port]]);
});

it.each([
  ["finds every port taken is given up", taken, 3],
  ["is not tried again after another failure", new Error("no such file"), 1],
])("a start that %s", async (_name, failure, times) => {
  const start = vi.fn(() => Promise.reject(failure));
  await expect(onFreePort(start)).rejects.toBe(failure);
  expect(start).toHaveBeenCalledTimes(times);
});
