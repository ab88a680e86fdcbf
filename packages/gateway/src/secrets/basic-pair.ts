import type { BasicCredential } from "@yagate/protocol";

/** A user name holds no colon (RFC 7617), so the text can be taken apart again. */
export function joinBasicPair({ username, password }: BasicCredential): string {
  return `${username}:${password}`;
}

/** What `authorization: Basic` is followed by. */
export function basicToken(pair: string): string {
  return Buffer.from(pair, "utf8").toString("base64");
}

/** The pair in every form that gives part of it away: as it is sent, joined, and each half alone. */
export function textsOfBasicPair(pair: string): readonly string[] {
  const [username = "", ...rest] = pair.split(":");
  return [basicToken(pair), pair, username, rest.join(":")];
}
