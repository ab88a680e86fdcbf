import { SIGNATURE_HEADER } from "@yagate/protocol";
import type { ConformanceCase, Group, Level } from "../conformance-case.ts";
import { type Finding, findingOf, notAsked } from "../finding.ts";
import { acceptedFault, refusedFault } from "../judgements.ts";
import { unsignedHeaders, withHeader } from "../live-call.ts";
import type { Probe } from "../probe.ts";
import { carryVector } from "../vectors/carry-vector.ts";
import { readVectors, type Vector } from "../vectors/read-vectors.ts";

/**
 * The vectors that a handler may fail without being unsafe or refusing what a gateway sends: a genuine signature in a
 * form that no gateway writes, fields that only the kit holds to their schema.
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

/** A handler that accepts these refuses what it holds, and so do its vectors: no request can ask for that. */
const NOT_OVER_THE_WIRE: readonly string[] = ["call-tolerance-10"];

const MOST_MARGIN_SECONDS = 30;

/** One case for each published vector that a running handler can be asked. */
export function vectorCases(): readonly ConformanceCase[] {
  const vectors = readVectors();
  const base = vectors.find(({ id }) => id === "sig-valid")?.body.toString("latin1") ?? "";
  return vectors
    .filter(({ id }) => !NOT_OVER_THE_WIRE.includes(id))
    .map((vector) => ({
      id: vector.id,
      group: groupOf(vector),
      level: levelOf(vector),
      title: `${isAccepted(vector) ? "accepts" : "refuses"}: ${vector.description}`,
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
  // Servers refuse a header of this size before any handler sees it, some by hanging up.
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
    return ACCEPT_ADVICE[vector.id] ?? "verify the bytes as they came, with the secret's text as the key";
  return REFUSE_ADVICE[vector.expect] ?? "refuse what is no call of this protocol";
}

const ACCEPT_ADVICE: Readonly<Record<string, string>> = {
  "sig-second-valid":
    "split the header at commas and accept the call when any entry is right; where that can't be, rotate with overlapSeconds: 0",
  "sig-unknown-skipped": "skip entries that don't begin with sha256=",
  "sig-empty-elements": "skip empty elements of the list",
  "rot-previous": "hold both secrets during a rotation, and accept an entry that either of them gives",
  "body-odd-json":
    "compute the signature over the bytes that arrived, before any parser; never over JSON.stringify of them",
  "call-extra-field": "ignore fields that you don't know: a newer gateway adds some",
  "call-edge-old": "accept what is at most the tolerance old",
};

const REFUSE_ADVICE: Readonly<Record<string, string>> = {
  SIGNATURE_MISSING: "refuse every request without X-YA-Signature, with 401",
  SIGNATURE_MALFORMED: "compare whole entries: sha256= and 64 lower-case hex digits, at most ten, separated by commas",
  SIGNATURE_MISMATCH:
    "compute HMAC-SHA256 over the bytes that arrived, and compare it with each entry in constant time",
  SECRET_INVALID: "stop at the start when a secret is missing or empty, and never verify with one",
  TIMESTAMP_TOO_OLD: "after the signature, refuse a timestamp of the body that is further from now than the tolerance",
  TIMESTAMP_IN_FUTURE: "compare in both directions: |now - timestamp|",
  PAYLOAD_INVALID:
    "refuse a body that lacks a field or a proper timestamp with 400; a date that can't be read is not fresh",
  BODY_TOO_LARGE: "stop reading at 1 MiB, and answer 413",
};
