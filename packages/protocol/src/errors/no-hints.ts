/**
 * Returns an empty hint. This is the `#error-hints` module for edge runtimes, where the size of a deployment matters.
 * `docs/errors.md` lists every hint.
 */
export const defaultHint: typeof import("./error-hints.ts").defaultHint = () => "";
