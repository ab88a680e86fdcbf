import { createHmac } from "node:crypto";
import type { NamedSecret } from "../../signing-secrets/named-secret.ts";
import type { SavedRequest } from "../saved-request.ts";
import type { Cause } from "./cause.ts";
import type { Explanation } from "./explanation.ts";
import type { FoundDigest } from "./header-digests.ts";

/**
 * Compares the received body with the body in the gateway's record.
 *
 * @returns undefined if the two are equal, or if only part of the sent body is known and that part is equal.
 */
export function differenceCause(
  received: SavedRequest,
  sent: SavedRequest,
  digests: readonly FoundDigest[],
  secrets: readonly NamedSecret[],
): Explanation | undefined {
  const at = firstDifference(sent.body, received.body);
  const isSentKnown = sent.isExact;
  if (at === undefined || (!isSentKnown && at >= sent.body.length)) return undefined;
  const cause: Cause = {
    id: "changed-on-the-way",
    cause: `the body was changed in transit: ${describe(sent.body, received.body, at, isSentKnown)}`,
    advice: "check everything between the gateway and the point where the request was saved: proxies, body parsers",
  };
  const secret = isSentKnown ? signerOf(sent.body, digests, secrets) : undefined;
  return { causes: [cause], isProven: secret !== undefined, ...(secret !== undefined && { secret }) };
}

function signerOf(
  body: Buffer,
  digests: readonly FoundDigest[],
  secrets: readonly NamedSecret[],
): NamedSecret | undefined {
  return secrets.find(({ value }) => {
    const hex = createHmac("sha256", value).update(body).digest("hex");
    return digests.some((digest) => digest.hex === hex);
  });
}

function firstDifference(left: Buffer, right: Buffer): number | undefined {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) if (left[index] !== right[index]) return index;
  return left.length === right.length ? undefined : length;
}

/** Describes where the bodies differ, with at most two bytes of the content, because it may be private. */
function describe(sent: Buffer, received: Buffer, at: number, isSentKnown: boolean): string {
  const sizes = `${isSentKnown ? "" : "more than "}${sent.length} bytes were sent, ${received.length} arrived`;
  if (at === received.length) return `${sizes}; the end is missing`;
  if (at === sent.length) return `${sizes}; the end was added`;
  return `${sizes}; the first difference is byte ${at + 1}, sent as ${shown(sent[at])} and arrived as ${shown(received[at])}`;
}

function shown(byte = 0): string {
  const hex = `0x${byte.toString(16).padStart(2, "0")}`;
  return byte > 0x20 && byte < 0x7f ? `${String.fromCharCode(byte)} (${hex})` : hex;
}
