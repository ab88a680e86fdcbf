export type { CancelSignal } from "@yagate/lib/async/cancellation";
export type { AddressVerdict } from "./address-policy.ts";
export type { Destination } from "./destination.ts";
export {
  type ApprovedDestinations,
  createDestinationCheck,
  createOpenedHosts,
  type DestinationCheck,
  type DestinationCheckOptions,
  type OpenedHosts,
} from "./destination-check.ts";
export { EgressError, type EgressErrorCode } from "./egress-error.ts";
export type { ResponseHeaders } from "./exchange.ts";
export {
  type EgressExplanation,
  type EgressStep,
  explainEgress,
  type JudgedAddress,
} from "./explain.ts";
export { createEgressGuard, type EgressDecision, type EgressGuard } from "./guard.ts";
export type { GroupFetch, RequestWatch } from "./guarded-fetch.ts";
export type { EgressMethod, EgressRequest, EgressResponse, LateEgressAnswer, LateWatch } from "./message.ts";
export { createOwnPlaces, type OwnPlaces } from "./own-places.ts";
export type { EgressLimits, EgressPolicy } from "./policy.ts";
export { isPrivateHost } from "./private-host.ts";
export type { ResolvedAddress } from "./resolver.ts";
