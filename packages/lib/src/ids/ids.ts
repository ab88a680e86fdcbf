import { randomBytes } from "node:crypto";
import { ID_PREFIXES, type IdKind } from "@yagate/protocol";
import { createUuidV7 } from "./uuid-v7.ts";

/** Generates an id. It is passed as a parameter, so that tests can predict ids. */
export type NewId = (kind: IdKind) => string;

const uuidV7 = createUuidV7();

/**
 * Generates a TypeID: the kind's prefix and a UUIDv7 in base32 (`exec_01m7yj864ke00brb1mkxjenfhm`). Ids created in one
 * process sort by creation time, even within a millisecond. An id is not a secret: it
 * contains the time of its creation, and its random part is short.
 */
export function newId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${uuidV7(Date.now())}`;
}

/** Generates the nonce for the frame around a result: 128 random bits in hex. */
export function newFrameNonce(): string {
  return randomBytes(16).toString("hex");
}
