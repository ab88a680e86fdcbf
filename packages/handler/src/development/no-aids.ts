/** What edge runtimes get as `#development`: code for a developer's machine would be dead weight there. */
export const createDevelopmentAids: typeof import("./aids.ts").createDevelopmentAids = () => undefined;

/** An edge runtime does not say whether it is in production. */
export const warnOfDefaultStore: typeof import("./aids.ts").warnOfDefaultStore = () => {};

/** What JSON makes of a result is looked at on a developer's machine. */
export const findUnfaithful: typeof import("./aids.ts").findUnfaithful = () => undefined;
