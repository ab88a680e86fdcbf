/**
 * What the gateway's own packages need beyond the public exports. Not covered by the version of this package: only
 * packages that pin it exactly may import it.
 */
export { approvedText } from "./approved-text.ts";
export { withoutUrl } from "./blocked.ts";
export { NO_TIMINGS } from "./egress-error.ts";
export { createGate } from "./gate.ts";
export { createPerNetworks, type PerNetworks } from "./per-networks.ts";
export { completePolicy, DEFAULT_LIMITS } from "./policy.ts";
export { isForbiddenHeader } from "./request-headers.ts";
