import { expect, it } from "vitest";
import { type Counts, type FollowerCounts, measureCounts, measureFollower } from "../counts/measure-counts.ts";

/**
 * The most that one warm execution may take. Lower a ceiling in the commit that lowers its count, and raise one only with
 * a reason in the commit. `npm run bench counts` prints the goals beside the present counts.
 */
const CEILINGS = {
  promises: 100,
  allocatedBytes: 190_000,
  boundBytes: 6_100,
  loggedBytesAlone: 60_000,
  statements: 7,
  commits: 3,
  sha256: 4,
  hmacs: 4,
  abortControllers: 2,
  timers: 3,
} satisfies Omit<Counts, "loggedBytes">;

/** The most that a look of the read models' follower may take, by the number of finished executions that it finds. */
const FOLLOWER_CEILINGS: readonly (readonly [executions: number, FollowerCounts])[] = [
  [1, { statements: 30, commits: 1, loggedBytes: 28_000 }],
  [32, { statements: 4.9, commits: 1, loggedBytes: 3_000 }],
];

it("one warm execution takes no more than its ceilings", { timeout: 120_000 }, async () => {
  // Bytes that concurrent executions log depend on how many of them share a commit, and so on the machine.
  const { loggedBytes, ...counts } = await measureCounts("yagate");
  expect(outside(counts, CEILINGS)).toEqual([]);
  expect(loggedBytes).toBeGreaterThan(counts.boundBytes);
});

it.each(FOLLOWER_CEILINGS)(
  "a look that finds %i finished executions takes no more than its ceilings",
  {
    timeout: 120_000,
  },
  async (executions, ceilings) => {
    expect(outside(await measureFollower(executions), ceilings)).toEqual([]);
  },
);

function outside<Name extends string>(
  counts: Readonly<Record<Name, number>>,
  ceilings: Readonly<Record<Name, number>>,
) {
  return (
    (Object.keys(ceilings) as Name[])
      .map((name) => ({ name, count: counts[name], ceiling: ceilings[name] }))
      // Each is at least 1 while its counter works: the wait for the end alone takes a timer and an AbortController.
      .filter(({ count, ceiling }) => !(count >= 1 && count <= ceiling))
  );
}
