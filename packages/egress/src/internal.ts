/**
 * What the gateway's own packages need beyond the public exports. It may change in any version: only packages that pin
 * the exact version may import it.
 */
export { approvedText } from "./approved-text.ts";
export { withoutUrl } from "./blocked.ts";
export { NO_TIMINGS } from "./egress-error.ts";
export { followRedirects, type RedirectRefusal } from "./follow-redirects.ts";
export { createGate } from "./gate.ts";
export { createPerNetworks, type PerNetworks } from "./per-networks.ts";
export { completePolicy, DEFAULT_LIMITS } from "./policy.ts";
export { isForbiddenHeader } from "./request-headers.ts";
