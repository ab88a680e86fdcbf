import { expect, it } from "vitest";
import { readCases } from "./cases.ts";
import { expectRoundTrips } from "./round-trip.ts";

it("all calls of the leaderboard arrive as they were made", { timeout: 180_000 }, async () => {
  const cases = readCases();
  expect(cases).toHaveLength(735);
  await expectRoundTrips(cases);
});
