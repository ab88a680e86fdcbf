import { YagateError } from "@yagate/protocol/calls";

/**
 * Rejects a call that was signed too long ago or too far in the future. Accepts `|now - timestamp| <= tolerance`.
 *
 * @throws {@link YagateError} `TIMESTAMP_TOO_OLD`, `TIMESTAMP_IN_FUTURE`.
 */
export function assertFresh(signedAtMs: number, nowMs: number, toleranceSeconds: number): void {
  const ageMs = nowMs - signedAtMs;
  // Written so that a tolerance or clock that is NaN rejects every call.
  if (Math.abs(ageMs) <= toleranceSeconds * 1000) return;
  if (ageMs < 0)
    throw new YagateError("TIMESTAMP_IN_FUTURE", "the call's timestamp is in the future: check both clocks");
  throw new YagateError("TIMESTAMP_TOO_OLD", `the call is older than ${toleranceSeconds} s`);
}

/**
 * Rejects a call or a describe request that is meant for another handler. A handler without an audience accepts all.
 *
 * @throws {@link YagateError} `PAYLOAD_INVALID`.
 */
export function assertAudience(signed: { readonly audience?: string | undefined }, audience: string | undefined): void {
  if (audience === undefined || signed.audience === audience) return;
  throw new YagateError("PAYLOAD_INVALID", "audience: expected the URL of this handler");
}
