/**
 * Exports for the gateway's own packages. They may change in any version, so only packages that pin the exact version
 * may import this module.
 */

export { withoutUrl } from "./blocked.ts";
export { approvedText } from "./destination-check.ts";
export { NO_TIMINGS } from "./egress-error.ts";
export { followRedirects, type RedirectRefusal } from "./follow-redirects.ts";
export { createGate } from "./gate.ts";
export { createPerNetworks, type PerNetworks } from "./guard.ts";
export { completePolicy, DEFAULT_LIMITS } from "./policy.ts";
export { isForbiddenHeader } from "./request-headers.ts";
