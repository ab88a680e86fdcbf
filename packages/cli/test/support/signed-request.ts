import { SIGNATURE_HEADER, sign, signStandardWebhook } from "@yagate/protocol";
import type { SavedRequest } from "../../src/verify/saved-request.ts";

/** A secret of no worth outside of these tests. */
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
export const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

export const TIMESTAMP = "2026-01-15T18:02:11.482Z";

/** A call as the gateway writes it, with characters that careless programs change. */
export const CALL = {
  toolCallId: "tc_01jd3v0c8me9kxt3f6r2p5q7sa",
  agentId: "agt_01jd3tz9w4f5v8n6q2r7s0k1mb",
  executionId: "exec_01jd3v0a2bf7jr4m9x6w8t5q3c",
  name: "book_table",
  parameters: { guests: 4, at: "Café <Zoë> & Co.", path: "a/b", area: { zone: "ñ", age: 3 } },
  attempt: 1,
  timestamp: TIMESTAMP,
  deadline: "2026-01-15T18:02:21.482Z",
  schemaHash: "sha256:c8f1d10da1f8254a3d1fc5e3e8b8e24649874986d47b8ae2dfad0282ff3bf4be",
  audience: "https://orders.example.com/tools/book-table",
};

/** A request as the gateway sends it. */
export async function signedRequest(
  call: object | string = CALL,
  secrets: readonly string[] = [SECRET],
): Promise<SavedRequest> {
  const body = Buffer.from(typeof call === "string" ? call : JSON.stringify(call));
  const id = CALL.toolCallId;
  const timestampSeconds = Math.floor(Date.parse(TIMESTAMP) / 1000);
  return {
    headers: [
      ["Content-Type", "application/json"],
      ["X-YA-Signature", await sign(body, secrets)],
      ["Idempotency-Key", id],
      ["webhook-id", id],
      ["webhook-timestamp", String(timestampSeconds)],
      ["webhook-signature", await signStandardWebhook({ id, timestampSeconds, body }, secrets)],
      ["Content-Length", String(body.length)],
    ],
    body,
    notes: [],
    isExact: true,
  };
}

/** The same request with another value of a header, or without it. */
export function withHeader(request: SavedRequest, name: string, value: string | undefined): SavedRequest {
  const others = request.headers.filter(([candidate]) => candidate.toLowerCase() !== name);
  return { ...request, headers: value === undefined ? others : [...others, [name, value]] };
}

export function withSignature(request: SavedRequest, value: string | undefined): SavedRequest {
  return withHeader(request, SIGNATURE_HEADER, value);
}

/** The request as it is saved in a file. */
export function toHttp({ headers, body }: SavedRequest, lineEnd = "\r\n"): Buffer {
  const lines = ["POST /tools HTTP/1.1", ...headers.map(([name, value]) => `${name}: ${value}`), "", ""];
  return Buffer.concat([Buffer.from(lines.join(lineEnd)), body]);
}
