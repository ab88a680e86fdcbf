import { isSigningSecret, SIGNATURE_HEADER, signStandardWebhook } from "@yagate/protocol";
import type { NamedSecret } from "../signing-secrets/named-secret.ts";
import { ageCause } from "./causes/age-cause.ts";
import type { Cause } from "./causes/cause.ts";
import { differenceCause } from "./causes/difference-cause.ts";
import type { Explanation } from "./causes/explanation.ts";
import { fieldsCause } from "./causes/fields-cause.ts";
import { findProvenCause } from "./causes/find-cause.ts";
import { digestsIn } from "./causes/header-digests.ts";
import { bareSecret } from "./causes/key-forms.ts";
import { shapeCause } from "./causes/shape-cause.ts";
import type { Judgement, Verdict } from "./judge.ts";
import { headerOf, type SavedRequest } from "./saved-request.ts";

const UNKNOWN: Cause = {
  id: "another-secret-or-body",
  cause: "the call was signed with a different secret, or its body was changed in an unknown way",
  advice:
    "check which signing secret the tool was saved with, and whether it was rotated; --attempt compares the body with the one that the gateway sent",
};

/**
 * Finds the cause of a rejection.
 *
 * @param sent - the request in the gateway's record, if available.
 */
export async function explain(
  verdict: Verdict,
  request: SavedRequest,
  judgement: Judgement,
  sent: SavedRequest | undefined,
): Promise<Explanation> {
  switch (verdict.code) {
    case "SECRET_INVALID":
      return explainSecret(request, judgement);
    case "SIGNATURE_MISSING":
    case "SIGNATURE_MALFORMED":
    case "SIGNATURE_MISMATCH":
      return explainSignature(verdict, request, judgement, sent);
    case "TIMESTAMP_TOO_OLD":
    case "TIMESTAMP_IN_FUTURE":
      return guess(ageCause(verdict, judgement, request));
    case "PAYLOAD_INVALID":
      return guess(fieldsCause(verdict, request));
    default:
      return { causes: [], isProven: false };
  }
}

function guess(cause: Cause): Explanation {
  return { causes: [cause], isProven: false };
}

async function explainSignature(
  { code }: Verdict,
  request: SavedRequest,
  { secrets }: Judgement,
  sent: SavedRequest | undefined,
): Promise<Explanation> {
  const header = headerOf(request, SIGNATURE_HEADER) ?? "";
  const proven = findProvenCause(request, digestsIn(header), secrets);
  if (proven !== undefined) {
    const { causes, digest, secret } = proven;
    return {
      causes: digest.fault === undefined ? nonEmpty(causes) : [formCause(digest.fault), ...causes],
      isProven: true,
      secret,
    };
  }
  const difference = sent === undefined ? undefined : differenceCause(request, sent, digestsIn(header), secrets);
  if (difference !== undefined) return difference;
  const webhook = await standardWebhookCause(request, secrets, code === "SIGNATURE_MISSING");
  if (webhook !== undefined) return webhook;
  return guess(shapeCause(request, header) ?? UNKNOWN);
}

/**
 * The causes if there are any. Otherwise, the body, the key and each entry are correct, so there must be too many
 * entries.
 */
function nonEmpty(causes: readonly Cause[]): readonly Cause[] {
  if (causes.length > 0) return causes;
  return [
    {
      id: "too-many-entries",
      cause: "a signature is correct, but the header has more than ten entries",
      advice: "a gateway sends at most eight: find out what copies the header",
    },
  ];
}

function formCause(fault: string): Cause {
  return {
    id: "header-form",
    cause: `the signature is in the header, but not as a valid entry: ${fault}`,
    advice: "an entry is sha256= and 64 lower-case hex digits; entries are separated by commas",
  };
}

async function standardWebhookCause(
  request: SavedRequest,
  secrets: readonly NamedSecret[],
  isMissing: boolean,
): Promise<Explanation | undefined> {
  const [id = "", seconds = "", signature = ""] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(request, name),
  );
  if (!/^[A-Za-z0-9_-]+$/.test(id) || !/^\d{1,12}$/.test(seconds)) return undefined;
  for (const secret of secrets) {
    const expected = await signStandardWebhook({ id, timestampSeconds: Number(seconds), body: request.body }, [
      secret.value,
    ]);
    if (!signature.split(" ").includes(expected)) continue;
    const cause: Cause = {
      id: "only-standard-webhooks",
      cause: `webhook-signature is correct, but X-YA-Signature is ${isMissing ? "missing" : "wrong"}`,
      advice: isMissing
        ? "preserve the header: a proxy or the event of a serverless function may drop unknown headers"
        : "an intermediary changes X-YA-Signature: the two headers are sent together",
    };
    return { causes: [cause], isProven: true, secret };
  }
  return undefined;
}

function explainSecret(request: SavedRequest, { secrets }: Judgement): Explanation {
  const wrong = secrets.find(({ value }) => !isSigningSecret(value));
  if (wrong === undefined) return { causes: [], isProven: false };
  const bare = bareSecret(wrong.value);
  const isTidy = isSigningSecret(bare);
  const digests = digestsIn(headerOf(request, SIGNATURE_HEADER) ?? "");
  const isProven = isTidy && findProvenCause(request, digests, [{ ...wrong, value: bare }])?.causes.length === 0;
  return { causes: [secretCause(wrong.value, isTidy, isProven)], isProven, secret: wrong };
}

function secretCause(value: string, isTidy: boolean, isProven: boolean): Cause {
  if (isTidy) {
    return {
      id: "secret-with-white-space",
      cause: `there is white space or a quote around the secret${isProven ? "; without it the signature is correct" : ""}`,
      advice: "store only the secret: no quotes, no spaces, no line break",
    };
  }
  if (isSigningSecret(`whsec_${bareSecret(value)}`)) {
    return {
      id: "secret-without-prefix",
      cause: "the secret lacks the prefix whsec_",
      advice: "the secret is the complete text as shown, including whsec_",
    };
  }
  return {
    id: "secret-malformed",
    cause: "it is not whsec_ and the base64 of 24 to 64 bytes: cut off, changed, or another kind of key",
    advice: "copy it again; replace a lost secret with POST /v1/signing-secrets/rotate",
  };
}
