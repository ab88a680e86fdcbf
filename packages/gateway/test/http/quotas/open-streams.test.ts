import { expect, it } from "vitest";
import { OpenStreams } from "../../../src/http/quotas/open-streams.ts";

const QUOTAS = { eventStreams: 3, eventStreamsPerExecution: 2 };

it("a closed stream gives back its place in the workspace and at its execution, once", () => {
  const streams = new OpenStreams();
  const open = (executionId: string) => {
    const slot = streams.open("ws_a", QUOTAS);
    slot.follow(executionId);
    return slot;
  };
  const slots = [open("exec_1"), open("exec_1")];
  expect([streams.used("ws_a"), streams.mostOfOneExecution("ws_a")]).toEqual([2, 2]);
  expect(() => open("exec_1")).toThrow(expect.objectContaining({ quota: "eventStreamsPerExecution", used: 2 }));
  expect(() => open("exec_2")).toThrow(expect.objectContaining({ quota: "eventStreams", used: 3 }));
  slots[0]?.close();
  slots[0]?.close();
  expect([streams.used("ws_a"), streams.mostOfOneExecution("ws_a")]).toEqual([2, 1]);
  slots[1]?.close();
  expect([streams.used("ws_a"), streams.mostOfOneExecution("ws_a")]).toEqual([1, 0]);
  expect([streams.used("ws_b"), streams.mostOfOneExecution("ws_b")]).toEqual([0, 0]);
});
