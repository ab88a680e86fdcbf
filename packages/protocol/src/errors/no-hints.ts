/**
 * The `#error-hints` module of edge runtimes, where the size of a deployment counts. `docs/errors.md` lists every hint.
 */
export const defaultHint: typeof import("./error-hints.ts").defaultHint = () => "";
