import { expect, it } from "vitest";
import { isRetryableStatus } from "../../src/http/retryable-status.ts";

it.each([
  [200, false],
  [307, false],
  [400, false],
  [404, false],
  [408, true],
  [409, false],
  [425, true],
  [429, true],
  [499, false],
  [500, true],
  [501, true],
  [503, true],
  [599, true],
  [600, true],
])("%i: %s", (status, expected) => {
  expect(isRetryableStatus(status)).toBe(expected);
});
