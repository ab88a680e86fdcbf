import { expect, it } from "vitest";
import { type Counts, measureCounts } from "../counts/measure-counts.ts";

/**
 * The most that one warm execution may take. Lower a ceiling in the commit that lowers its count, and raise one only with
 * a reason in the commit. `npm run bench counts` prints the goals beside the present counts.
 */
const CEILINGS = {
  promises: 104,
  allocatedBytes: 220_000,
  boundBytes: 6_100,
  loggedBytesAlone: 96_000,
  statements: 7,
  commits: 3,
  sha256: 4,
  hmacs: 4,
  abortControllers: 2,
  timers: 3,
} satisfies Omit<Counts, "loggedBytes">;

it("one warm execution takes no more than its ceilings", { timeout: 60_000 }, async () => {
  // Bytes that concurrent executions log depend on how many of them share a commit, and so on the machine.
  const { loggedBytes, ...counts } = await measureCounts("yagate");
  const outside = Object.entries(CEILINGS)
    .map(([name, ceiling]) => ({ name, count: counts[name as keyof typeof CEILINGS], ceiling }))
    // Each is at least 1 while its counter works: the wait for the end alone takes a timer and an AbortController.
    .filter(({ count, ceiling }) => !(count >= 1 && count <= ceiling));
  expect(outside).toEqual([]);
  expect(loggedBytes).toBeGreaterThan(counts.boundBytes);
});
