/**
 * What edge runtimes get as `#error-hints`: their logs show an error's message, and the size of what is deployed counts.
 * Every hint is in the table of `docs/errors.md`.
 */
export const defaultHint: typeof import("./error-hints.ts").defaultHint = () => "";
