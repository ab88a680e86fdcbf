import { SIGNATURE_HEADER } from "@yagate/protocol";
import type { ConformanceCase, Group, Level } from "../conformance-case.ts";
import { type Finding, findingOf, notAsked } from "../finding.ts";
import { acceptedFault, refusedFault } from "../judgements.ts";
import { unsignedHeaders, withHeader } from "../live-call.ts";
import type { Probe } from "../probe.ts";
import { carryVector } from "../vectors/carry-vector.ts";
import { readVectors, type Vector } from "../vectors/read-vectors.ts";

/**
 * The vectors that a safe and compatible handler may fail: genuine signatures in a form that no gateway uses, and
 * fields that only the handler kit validates.
 */
const RECOMMENDED: readonly string[] = [
  "sig-no-label",
  "sig-trailing",
  "sig-flood",
  "sig-eleven",
  "sig-empty-elements",
  "sig-upper-hex",
  "sig-semicolon",
  "sig-fullwidth",
  "call-timestamp-number",
  "call-timestamp-no-zone",
  "call-no-agentId",
  "call-no-name",
  "call-parameters-array",
  "call-id-prefix",
  "call-invalid-utf8",
  "call-too-large",
];

/** Vectors for secrets and settings of the handler, which no request can test. */
const NOT_OVER_THE_WIRE: readonly string[] = ["call-tolerance-10"];

const MOST_MARGIN_SECONDS = 30;

/** Returns one case for each published vector that can be sent to a running handler. */
export function vectorCases(): readonly ConformanceCase[] {
  const vectors = readVectors();
  const base = vectors.find(({ id }) => id === "sig-valid")?.body.toString("latin1") ?? "";
  return vectors
    .filter(({ id }) => !NOT_OVER_THE_WIRE.includes(id))
    .map((vector) => ({
      id: vector.id,
      group: groupOf(vector),
      level: levelOf(vector),
      title: `${isAccepted(vector) ? "accepts" : "rejects"}: ${vector.description}`,
      advice: adviceOf(vector),
      run: (probe) => runVector(vector, base, probe),
    }));
}

async function runVector(vector: Vector, base: string, probe: Probe): Promise<Finding> {
  const { settings, foreignSecret } = probe;
  const call = probe.call();
  const carried = carryVector(vector, base, {
    secret: settings.secret,
    previousSecret: settings.previousSecret,
    foreignSecret,
    call,
    nowMs: settings.now(),
    toleranceSeconds: settings.toleranceSeconds,
    marginSeconds: Math.min(MOST_MARGIN_SECONDS, settings.toleranceSeconds / 4),
  });
  if ("skipped" in carried) return notAsked(carried.skipped);
  const { body, isGenuine } = carried;
  let message = { headers: await unsignedHeaders(call.toolCallId, body, settings.secret, settings.now()), body };
  for (const [name, value] of carried.headers) message = withHeader(message, name, value);
  const exchange = await probe.send(message);
  if (isGenuine) return findingOf(acceptedFault(exchange));
  // Servers reject a header of this size before the request reaches the handler, some by closing the connection.
  const isFlood = (carried.headers.get(SIGNATURE_HEADER)?.length ?? 0) > 16_384;
  return findingOf(isFlood && exchange.kind === "closed" ? undefined : refusedFault(exchange));
}

function isAccepted({ expect, id }: Vector): boolean {
  return expect === "accept" && id !== "body-empty";
}

function levelOf({ id }: Vector): Level {
  return RECOMMENDED.includes(id) ? "recommended" : "required";
}

function groupOf(vector: Vector): Group {
  if (/^call-(?:.*timestamp|old|edge|future)/.test(vector.id)) return "age";
  if (isAccepted(vector)) return "genuine";
  return vector.level === "signature" && vector.id !== "body-empty" ? "forged" : "bodies";
}

function adviceOf(vector: Vector): string {
  if (isAccepted(vector))
    return ACCEPT_ADVICE[vector.id] ?? "verify the bytes as received, with the text of the secret as the key";
  return REFUSE_ADVICE[vector.expect] ?? "reject bodies that are not a call of this protocol";
}

const ACCEPT_ADVICE: Readonly<Record<string, string>> = {
  "sig-second-valid":
    "split the header at commas and accept the call when any entry is correct; if that is impossible, rotate with overlapSeconds: 0",
  "sig-unknown-skipped": "skip entries that do not start with sha256=",
  "sig-empty-elements": "skip empty elements of the list",
  "rot-previous": "accept both secrets during a rotation, and any entry that one of them produces",
  "body-odd-json":
    "compute the signature over the bytes as received, before any parser; never over the output of JSON.stringify",
  "call-extra-field": "ignore unknown fields: a newer gateway may add some",
  "call-edge-old": "accept calls that are as old as the tolerance allows",
};

const REFUSE_ADVICE: Readonly<Record<string, string>> = {
  SIGNATURE_MISSING: "reject every request without X-YA-Signature, with 401",
  SIGNATURE_MALFORMED: "compare whole entries: sha256= and 64 lower-case hex digits, at most ten, separated by commas",
  SIGNATURE_MISMATCH: "compute HMAC-SHA256 over the bytes as received, and compare it with each entry in constant time",
  SECRET_INVALID: "fail at startup when a secret is missing or empty, and never verify with an empty secret",
  TIMESTAMP_TOO_OLD:
    "after you have verified the signature, reject a timestamp in the body that differs from now by more than the tolerance",
  TIMESTAMP_IN_FUTURE: "compare in both directions: |now - timestamp|",
  PAYLOAD_INVALID:
    "respond with 400 to a body that lacks a field or a valid timestamp; an invalid date never counts as recent",
  BODY_TOO_LARGE: "stop reading at 1 MiB, and respond with 413",
};
