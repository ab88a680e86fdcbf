import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from "node:crypto";
import { type KeySet, RECEIPT_TYPE } from "@yagate/protocol";
import type { Keyring, MasterKey } from "@yagate/secrets/keyring";
import { CompactSign } from "jose";
import { LRUCache } from "lru-cache";

const SEAL_INFO = "yagate record seal v1";
const SIGNING_INFO = "yagate receipt signature v1";
const KEY_BYTES = 32;
/** The PKCS #8 prefix of the 32 bytes of an Ed25519 key (RFC 8410, section 7). */
const PKCS8_START = Buffer.from("302e020100300506032b657004220420", "hex");
/** Maximum number of cached signing keys. Deriving one takes 0.1 ms. */
const MAX_KEPT = 1_000;

/**
 * The keys that seal records and sign receipts. They are derived from the master keys, so they are not stored, every
 * replica has the same ones, and the seals of an older master key can be verified as long as that key is configured.
 */
export interface RecordKeys {
  /** Seals a text with the active key and returns the HMAC-SHA256 in base64url. */
  seal(text: string): { readonly kid: string; readonly mac: string };
  /** Returns whether `mac` is the seal of a text; undefined if no master key with this id is configured. */
  isSealOf(text: string, kid: string, mac: string): boolean | undefined;
  /** Signs a payload with the workspace's active Ed25519 key and returns a JWS in compact form. */
  sign(workspaceId: string, payload: string): Promise<string>;
  /** Returns the public keys of the workspace. */
  keySet(workspaceId: string): KeySet;
}

interface SigningKey {
  readonly kid: string;
  readonly key: KeyObject;
  readonly x: string;
}

function derive({ key }: MasterKey, info: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", info, KEY_BYTES));
}

function toSigningKey(seed: Buffer): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  // The thumbprint of RFC 7638 requires the members in this order, without white space.
  const kid = hash("sha256", JSON.stringify({ crv: "Ed25519", kty: "OKP", x }), "base64url");
  return { kid, key, x };
}

export function createRecordKeys(keyring: Keyring): RecordKeys {
  const sealing = new Map<string, KeyObject>();
  const signing = new LRUCache<string, SigningKey>({ max: MAX_KEPT });

  function sealingKey(master: MasterKey): KeyObject {
    const known = sealing.get(master.kid);
    if (known !== undefined) return known;
    const key = createSecretKey(derive(master, SEAL_INFO));
    sealing.set(master.kid, key);
    return key;
  }

  function signingKey(master: MasterKey, workspaceId: string): SigningKey {
    const name = `${master.kid} ${workspaceId}`;
    const known = signing.get(name);
    if (known !== undefined) return known;
    const key = toSigningKey(derive(master, `${SIGNING_INFO} ${workspaceId}`));
    signing.set(name, key);
    return key;
  }

  const macOf = (master: MasterKey, text: string) =>
    createHmac("sha256", sealingKey(master)).update(text).digest("base64url");

  return {
    seal(text) {
      const { active } = keyring;
      return { kid: active.kid, mac: macOf(active, text) };
    },
    isSealOf(text, kid, mac) {
      const master = keyring.find(kid);
      if (master === undefined) return undefined;
      const expected = Buffer.from(macOf(master, text));
      const given = Buffer.from(mac);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    sign(workspaceId, payload) {
      const { kid, key } = signingKey(keyring.active, workspaceId);
      return new CompactSign(new TextEncoder().encode(payload))
        .setProtectedHeader({ alg: "EdDSA", kid, typ: RECEIPT_TYPE })
        .sign(key);
    },
    keySet(workspaceId) {
      const keys = keyring.all.map((master) => signingKey(master, workspaceId));
      return { keys: keys.map(({ kid, x }) => ({ kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" })) };
    },
  };
}
