import { createHmac } from "node:crypto";
import type { NamedSecret } from "../../signing-secrets/named-secret.ts";
import type { SavedRequest } from "../saved-request.ts";
import { BYTE_CHANGES } from "./byte-forms.ts";
import type { Cause } from "./cause.ts";
import type { FoundDigest } from "./header-digests.ts";
import { JSON_CHANGES } from "./json-forms.ts";
import { KEY_CHANGES } from "./key-forms.ts";
import { SIGNED_TEXT_CHANGES } from "./signed-texts.ts";

/** A cause found by trying, with the secret that proved it. */
export interface ProvenCause {
  readonly causes: readonly Cause[];
  readonly secret: NamedSecret;
  readonly digest: FoundDigest;
}

/** For larger bodies, only single changes are tried. */
const MAX_PAIRED_BYTES = 65_536;

interface TriedText {
  readonly causes: readonly Cause[];
  text(): readonly Buffer[];
}

interface TriedKey {
  readonly causes: readonly Cause[];
  keys(secret: string): Iterable<Buffer>;
}

/**
 * Finds out why a signature does not match the body by trying common mistakes: first a malformed header alone, then one
 * change, then a wrong key together with a changed body.
 */
export function findProvenCause(
  request: SavedRequest,
  digests: readonly FoundDigest[],
  secrets: readonly NamedSecret[],
): ProvenCause | undefined {
  if (digests.length === 0) return undefined;
  const texts = [...textsOf(request)];
  const own = texts.slice(0, 1);
  const keys: readonly TriedKey[] = KEY_CHANGES.map((change) => ({ causes: [change], keys: change.keys }));
  const rounds: readonly (readonly [readonly TriedText[], readonly TriedKey[]])[] = [
    [texts, [OWN_KEY]],
    [own, keys],
    ...(request.body.length <= MAX_PAIRED_BYTES ? ([[texts.slice(1), keys]] as const) : []),
  ];
  for (const [triedTexts, triedKeys] of rounds) {
    const found = tryRound(triedTexts, triedKeys, digests, secrets);
    if (found !== undefined) return found;
  }
  return undefined;
}

const OWN_KEY: TriedKey = { causes: [], keys: (secret) => [Buffer.from(secret)] };

function* textsOf(request: SavedRequest): Iterable<TriedText> {
  const { body } = request;
  yield { causes: [], text: () => [body] };
  // Smaller changes come first: rewritten JSON would also explain an extra line break.
  for (const change of [...BYTE_CHANGES, ...JSON_CHANGES]) {
    yield { causes: [change], text: () => [...change.forms(body)] };
  }
  for (const change of SIGNED_TEXT_CHANGES) {
    yield {
      causes: [change],
      text: () => [...change.prefixes(request)].map((prefix) => Buffer.concat([Buffer.from(prefix), body])),
    };
  }
}

function tryRound(
  texts: readonly TriedText[],
  keys: readonly TriedKey[],
  digests: readonly FoundDigest[],
  secrets: readonly NamedSecret[],
): ProvenCause | undefined {
  for (const { causes: ofText, text } of texts) {
    const forms = text();
    for (const { causes: ofKey, keys: keysOf } of keys) {
      for (const secret of secrets) {
        const digest = matching(forms, keysOf(secret.value), digests);
        if (digest !== undefined) return { causes: [...ofText, ...ofKey], secret, digest };
      }
    }
  }
  return undefined;
}

function matching(
  forms: readonly Buffer[],
  keys: Iterable<Buffer>,
  digests: readonly FoundDigest[],
): FoundDigest | undefined {
  for (const key of keys) {
    for (const form of forms) {
      const hex = createHmac("sha256", key).update(form).digest("hex");
      const digest = digests.find((candidate) => candidate.hex === hex);
      if (digest !== undefined) return digest;
    }
  }
  return undefined;
}
