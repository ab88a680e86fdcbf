import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";

/**
 * A verifier for one secret as a developer would write it by hand, with every check that the kit makes: the header's
 * list grammar, the HMAC, fatal UTF-8, JSON, the types of the fields, and the date.
 */
export function createSynchronousVerifier(secret: string, now: () => number) {
  const key = createSecretKey(Buffer.from(secret, "utf8"));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (header: string, body: Uint8Array): Record<string, unknown> => {
    if (body.length > 1_048_576) throw new Error("BODY_TOO_LARGE");
    const entries = header
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
    if (entries.length > 10) throw new Error("SIGNATURE_MALFORMED");
    const signatures = entries.filter((entry) => /^sha256=[0-9a-f]{64}$/.test(entry));
    if (signatures.length === 0) throw new Error("SIGNATURE_MALFORMED");
    const expected = createHmac("sha256", key).update(body).digest();
    let isValid = false;
    for (const signature of signatures) {
      if (timingSafeEqual(Buffer.from(signature.slice(7), "hex"), expected)) isValid = true;
    }
    if (!isValid) throw new Error("SIGNATURE_MISMATCH");
    const call: unknown = JSON.parse(decoder.decode(body));
    if (typeof call !== "object" || call === null || Array.isArray(call)) throw new Error("PAYLOAD_INVALID");
    const fields = call as Record<string, unknown>;
    if (!isId(fields["toolCallId"], "tc_")) throw new Error("PAYLOAD_INVALID");
    if (!isId(fields["agentId"], "agt_")) throw new Error("PAYLOAD_INVALID");
    if (!isId(fields["executionId"], "exec_")) throw new Error("PAYLOAD_INVALID");
    if (typeof fields["name"] !== "string" || fields["name"] === "") throw new Error("PAYLOAD_INVALID");
    const parameters = fields["parameters"];
    if (typeof parameters !== "object" || parameters === null || Array.isArray(parameters)) {
      throw new Error("PAYLOAD_INVALID");
    }
    if (!Number.isInteger(fields["attempt"]) || Number(fields["attempt"]) < 1) throw new Error("PAYLOAD_INVALID");
    const timestamp = parseTime(fields["timestamp"]);
    parseTime(fields["deadline"]);
    if (Math.abs(now() - timestamp) > 300_000) throw new Error("TIMESTAMP_TOO_OLD");
    return fields;
  };
}

function isId(value: unknown, prefix: string): boolean {
  return (
    typeof value === "string" && value.startsWith(prefix) && /^[0-9A-Za-z_-]{1,120}$/.test(value.slice(prefix.length))
  );
}

function parseTime(value: unknown): number {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value))
    throw new Error("PAYLOAD_INVALID");
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw new Error("PAYLOAD_INVALID");
  return time;
}
