import { randomBytes } from "node:crypto";
import { ID_PREFIXES, type IdKind } from "@yagate/protocol";
import { typeidUnboxed } from "typeid-js";

/** Mints an id: injected, so that tests can foretell ids. */
export type NewId = (kind: IdKind) => string;

/**
 * Mints a TypeID: the kind's prefix and a UUIDv7 in base32 (`exec_01m7yj864ke00brb1mkxjenfhm`).
 *
 * Ids of one process sort by the time they were minted, also within one millisecond.
 */
export function newId(kind: IdKind): string {
  return typeidUnboxed(ID_PREFIXES[kind]);
}

/** Draws what marks the frame of one call's result: 128 bits of chance in hex. */
export function newFrameNonce(): string {
  return randomBytes(16).toString("hex");
}
