import type * as z from "zod";
import { YagateError } from "../errors/yagate-error.ts";
import {
  type KeySet,
  keySetSchema,
  RECEIPT_FORMAT,
  RECEIPT_TYPE,
  type Receipt,
  type ReceiptRecord,
  receiptSchema,
  receiptStatementSchema,
} from "../schemas/receipt.ts";
import { encodeHex } from "../signing/hex.ts";
import { entryText, linkText, subjectText } from "./record-chain.ts";
import { recordText } from "./record-text.ts";

/** A problem with a receipt, and its location in the record. */
export interface ReceiptProblem {
  /**
   * - `UNSIGNED`: the receipt has no signature, because the execution had not ended or its stored record was not the
   *   one that was sealed.
   * - `ENTRY_CHANGED`, `HEAD_CHANGED`: the hash chain is broken, or it is not the chain that was signed.
   * - `RECEIPT_CHANGED`: the record matches the signature, but another part of the receipt does not.
   * - `UNKNOWN_KEY`, `BAD_SIGNATURE`: the signature was not made with one of the given keys.
   */
  readonly code: "UNSIGNED" | "ENTRY_CHANGED" | "HEAD_CHANGED" | "RECEIPT_CHANGED" | "UNKNOWN_KEY" | "BAD_SIGNATURE";
  readonly message: string;
  /** Number of the first entry that differs; 0 for the subject. */
  readonly seq?: number;
}

/** The result of {@link verifyReceipt}. */
export type ReceiptVerdict =
  | { readonly verified: true; readonly receipt: Receipt; readonly kid: string }
  | { readonly verified: false; readonly problem: ReceiptProblem };

/**
 * Verifies an exported receipt without the gateway: recalculates the hash chain of its record, compares the receipt
 * with the signed statement, and checks the signature.
 *
 * @param receipt - the parsed JSON of `GET /v1/executions/:id/receipt`.
 * @param keySet - the workspace's key set from a trusted source: the gateway's `/.well-known/jwks/<workspace id>.json`,
 *   or a saved copy.
 * @throws {@link YagateError} `PAYLOAD_INVALID` if the arguments are not a receipt and a key set; `NOT_CONFIGURED` if
 *   the runtime's Web Crypto does not support Ed25519.
 */
export async function verifyReceipt(receipt: unknown, keySet: unknown): Promise<ReceiptVerdict> {
  const parsed = receiptSchema.safeParse(receipt);
  // A receipt in another format may be signed differently, so these rules cannot verify it.
  if (!parsed.success || !isMembers(receipt) || parsed.data.format !== RECEIPT_FORMAT) {
    throw new YagateError("PAYLOAD_INVALID", `expected the JSON of a receipt in the format ${RECEIPT_FORMAT}`);
  }
  const keys = keySetSchema.safeParse(keySet);
  if (!keys.success) throw new YagateError("PAYLOAD_INVALID", "expected a JSON Web Key Set");
  const problem = await problemOf(parsed.data, receipt, keys.data);
  if (typeof problem === "string") return { verified: true, receipt: parsed.data, kid: problem };
  return { verified: false, problem };
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the first problem with a receipt, or the id of its signing key if the receipt is valid. */
async function problemOf(receipt: Receipt, given: Members, keys: KeySet): Promise<ReceiptProblem | string> {
  const { signature, record } = receipt;
  const difference = await differenceOf(record);
  if (difference !== undefined) return difference;
  if (signature === null) return { code: "UNSIGNED", message: unsignedReason(receipt) };
  const signed = await openSignature(signature, keys);
  if ("code" in signed) return signed;
  const { kid, statement } = signed;
  if (statement.head !== record.head || statement.entries !== record.entries.length) {
    return {
      code: "HEAD_CHANGED",
      message: "the record does not match the signature: its hash chain ends with another hash",
    };
  }
  const { signature: _signature, ...said } = given;
  const isSame =
    statement.executionId === receipt.executionId &&
    statement.workspaceId === receipt.workspaceId &&
    record.subject.executionId === receipt.executionId &&
    record.subject.workspaceId === receipt.workspaceId &&
    statement.receiptHash === `sha256:${await sha256(recordText(said))}`;
  if (isSame) return kid;
  return {
    code: "RECEIPT_CHANGED",
    message: "the record matches the signature, but the rest of the receipt does not",
  };
}

function unsignedReason({ difference, isFinal }: Receipt): string {
  if (difference !== null) {
    return `the gateway found that the stored record had been changed, starting at entry ${difference.seq}`;
  }
  if (!isFinal) return "the execution had not ended when this receipt was made: request a new receipt";
  return "the receipt has no signature";
}

async function differenceOf({ subject, entries, head }: ReceiptRecord): Promise<ReceiptProblem | undefined> {
  let hash = await sha256(subjectText(subject));
  for (const [index, entry] of entries.entries()) {
    hash = await sha256(linkText(hash, entryText(recordText(entry.event), entry.assistantMessageHash)));
    if (hash === entry.hash && entry.event["seq"] === index + 1) continue;
    const seq = index + 1;
    const message = `entry ${seq} does not match its hash: this entry or an earlier one has been changed`;
    return { code: "ENTRY_CHANGED", message, seq };
  }
  if (hash === head) return undefined;
  return { code: "HEAD_CHANGED", message: "the hash chain of the record does not end with the hash in head" };
}

interface OpenedSignature {
  readonly kid: string;
  readonly statement: z.infer<typeof receiptStatementSchema>;
}

async function openSignature(signature: string, keys: KeySet): Promise<OpenedSignature | ReceiptProblem> {
  const bad = (message: string): ReceiptProblem => ({ code: "BAD_SIGNATURE", message });
  const [header = "", payload = "", proof = "", ...rest] = signature.split(".");
  const parsed = readJson(decode(header));
  if (!isMembers(parsed) || rest.length > 0 || parsed["alg"] !== "EdDSA" || parsed["typ"] !== RECEIPT_TYPE) {
    return bad("the signature is not a receipt signature");
  }
  // An extension that the verifier must understand (RFC 7515 §4.1.11). The receipt format defines none.
  if ("crit" in parsed) return bad("the signature requires an unknown extension");
  const { kid } = parsed;
  const key = keys.keys.find((one) => one.kid === kid && one.kty === "OKP" && one.crv === "Ed25519");
  const publicBytes = key?.x === undefined ? undefined : decode(key.x);
  if (typeof kid !== "string" || publicBytes === undefined) {
    return { code: "UNKNOWN_KEY", message: "the key that signed this receipt is not in the key set" };
  }
  const proofBytes = decode(proof);
  const signedBytes = new TextEncoder().encode(`${header}.${payload}`);
  if (proofBytes === undefined || !(await isSignedBy(publicBytes, proofBytes, signedBytes))) {
    return bad(
      "the signature was not made with the key that its header identifies, or the signed data has been changed",
    );
  }
  const statement = receiptStatementSchema.safeParse(readJson(decode(payload)));
  return statement.success
    ? { kid, statement: statement.data }
    : bad("the signed payload is not the statement of a receipt");
}

async function isSignedBy(key: Bytes, proof: Bytes, signed: Bytes): Promise<boolean> {
  let imported: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
  try {
    imported = await subtle().importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  } catch (cause) {
    if (Object(cause).name === "NotSupportedError") throw noCrypto();
    return false;
  }
  return subtle().verify({ name: "Ed25519" }, imported, proof, signed);
}

type Bytes = Uint8Array<ArrayBuffer>;

async function sha256(text: string): Promise<string> {
  return encodeHex(new Uint8Array(await subtle().digest("SHA-256", new TextEncoder().encode(text))));
}

function subtle() {
  if (globalThis.crypto?.subtle === undefined) throw noCrypto();
  return crypto.subtle;
}

const noCrypto = () =>
  new YagateError("NOT_CONFIGURED", "expected Web Crypto with Ed25519; use Node.js 20 or later, or a current browser");

const BASE64URL = /^[A-Za-z0-9_-]*$/;

/** Decodes base64url. Each value has exactly one accepted encoding, without padding or stray bits. */
function decode(text: string): Bytes | undefined {
  if (!BASE64URL.test(text) || text.length % 4 === 1) return undefined;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  return encode(bytes) === text ? bytes : undefined;
}

function encode(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function readJson(bytes: Bytes | undefined): unknown {
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
