/**
 * Creates no aids. This is the `#development` module for edge runtimes, which do not need code for a developer's
 * machine.
 */
export const createDevelopmentAids: typeof import("./aids.ts").createDevelopmentAids = () => undefined;

/** Does nothing, because an edge runtime does not reveal whether it is in production. */
export const warnOfDefaultStore: typeof import("./aids.ts").warnOfDefaultStore = () => {};

/** Finds nothing: only a developer's machine checks results for values that JSON would change. */
export const findUnfaithful: typeof import("./aids.ts").findUnfaithful = () => undefined;
