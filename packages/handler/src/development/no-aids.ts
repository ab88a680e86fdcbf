/** What edge runtimes get as `#development`: code for a developer's machine would be dead weight there. */
export const createDevelopmentAids: typeof import("./aids.ts").createDevelopmentAids = () => undefined;
