import { expect, it } from "vitest";
import { WANTED_MS, WantedTexts } from "../src/postgres/text-relay/wanted-texts.ts";

function wantedAt(start = 0) {
  const clock = { now: start };
  return { clock, wanted: new WantedTexts(() => clock.now) };
}

it("a replica that stops listening leaves the others", () => {
  const { wanted } = wantedAt();
  expect(["a", "b", "a"].map((replica) => wanted.want("exec_1", replica))).toEqual([true, true, false]);
  wanted.stop("exec_1", "a");
  expect(wanted.by("exec_1")).toEqual(["b"]);
  wanted.stop("exec_1", "b");
  expect(wanted.by("exec_1")).toEqual([]);
  expect(wanted.want("exec_1", "a")).toBe(true);
});

it("a replica that does not say again that it listens is believed for 30 seconds", () => {
  const { clock, wanted } = wantedAt();
  wanted.want("exec_1", "a");
  clock.now = 20_000;
  wanted.want("exec_1", "b");
  clock.now = WANTED_MS - 1;
  expect(wanted.by("exec_1")).toEqual(["a", "b"]);
  clock.now = WANTED_MS;
  expect(wanted.by("exec_1")).toEqual(["b"]);
  wanted.forgetSilent();
  expect(wanted.by("exec_1")).toEqual(["b"]);
  expect(wanted.want("exec_1", "a")).toBe(true);
});
