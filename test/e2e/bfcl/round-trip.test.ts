import { it } from "vitest";
import { readCases } from "./cases.ts";
import { expectRoundTrips } from "./round-trip.ts";

it("function calls of the leaderboard arrive as they were made, under names with upper case and hyphens", async () => {
  const hasOddName = ({ calls }: ReturnType<typeof readCases>[number]) => calls.some(({ name }) => /[A-Z-]/.test(name));
  await expectRoundTrips(readCases().filter(hasOddName).slice(0, 20));
});
