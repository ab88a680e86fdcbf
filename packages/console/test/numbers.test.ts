import { describe, expect, it } from "vitest";
import {
  formatBytes,
  formatCost,
  formatCostLimit,
  formatCount,
  formatDuration,
  shortId,
} from "../src/parts/numbers.ts";

describe("numbers", () => {
  it.each([
    [0, "0 ms"],
    [834, "834 ms"],
    [2_000, "2.00 s"],
    [48_100, "48.1 s"],
    [92_000, "1 min 32 s"],
    [300_000, "5 min"],
    [6_720_000, "1 h 52 min"],
    [604_800_000, "7 d"],
    [601_200_000, "6 d 23 h"],
  ])("a duration of %i ms is %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

  it.each([
    [0, "0"],
    [1_284, "1,284"],
    [9_410_000, "9.41 M"],
  ])("a count of %i is %s", (count, text) => expect(formatCount(count)).toBe(text));

  it.each([
    [0, "$0"],
    [0.0312, "$0.0312"],
    [0.5, "$0.5000"],
    [12.4, "$12.40"],
  ])("a cost of %d is %s", (usd, text) => expect(formatCost(usd)).toBe(text));

  it.each([
    [0.5, "$0.50"],
    [0.125, "$0.125"],
    [2, "$2.00"],
  ])("a limit of %d is %s", (usd, text) => expect(formatCostLimit(usd)).toBe(text));

  it.each([
    [214, "214 B"],
    [65_536, "64.0 KiB"],
    [1_572_864, "1.50 MiB"],
  ])("%i bytes are %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it("ids keep their prefix, six characters and the last five", () => {
    expect(shortId("exec_01m7yp0000000000000003hq69")).toBe("exec_01m7yp…3hq69");
    expect(shortId("exec_short")).toBe("exec_short");
  });
});
