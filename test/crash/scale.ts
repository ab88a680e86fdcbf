/** Whether this is the long run of `npm run chaos`. */
export const isChaos = process.env["CHAOS"] === "1";

/** How much of something: a little in every run of the tests, much in `npm run chaos`. */
export function scaled(counts: { readonly tests: number; readonly chaos: number }): number {
  return isChaos ? counts.chaos : counts.tests;
}
