import { expect, it } from "vitest";
import { ERROR_TABLE, type ErrorCode, isErrorCode, YagateError } from "../../src/index.ts";
import { builds } from "../signing/builds.ts";

const codes = Object.keys(ERROR_TABLE).filter((code): code is ErrorCode => isErrorCode(code));

it.each(builds)("%s: an error without a hint of its own has the code's", (_name, protocol) => {
  expect(codes.length).toBeGreaterThan(40);
  for (const code of codes) {
    const { hint, status } = new protocol.YagateError(code, "x");
    expect({ code, hint, status }).toEqual({ code, hint: ERROR_TABLE[code].hint, status: ERROR_TABLE[code].status });
  }
});

it("an error with a hint of its own keeps it", () => {
  expect(new YagateError("GONE", "x", { hint: "start again" }).hint).toBe("start again");
});
