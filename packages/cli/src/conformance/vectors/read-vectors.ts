import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { DEFAULT_TOLERANCE_SECONDS, SIGNATURE_HEADER } from "@yagate/protocol";
import { field, listField, textField } from "../../verify/json-fields.ts";

/** One case from `vectors/signature.json` in @yagate/protocol. */
export interface Vector {
  readonly id: string;
  readonly level: "signature" | "call";
  readonly description: string;
  /** The headers, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** If set, the body is padded with spaces to this many bytes. */
  readonly paddedToBytes?: number;
  readonly secrets: readonly string[];
  readonly nowMs: number;
  readonly toleranceSeconds: number;
  /** `accept`, or the error code. */
  readonly expect: string;
}

/** Returns the published cases in order. */
export function readVectors(): readonly Vector[] {
  const path = createRequire(import.meta.url).resolve("@yagate/protocol/vectors/signature.json");
  const file: unknown = JSON.parse(readFileSync(path, "utf8"));
  return listField(file, "cases").map(toVector);
}

function toVector(json: unknown): Vector {
  const generated = field(json, "bodyGenerate");
  const paddedToBytes = field(generated, "padWithSpacesToBytes");
  const headers = field(json, "headers");
  const toleranceSeconds = field(json, "toleranceSeconds");
  return {
    id: textField(json, "id") ?? "",
    level: textField(json, "level") === "call" ? "call" : "signature",
    description: textField(json, "description") ?? "",
    headers: new Map(Object.keys(headers ?? {}).map((name) => [name, textField(headers, name) ?? ""])),
    body: Buffer.from(textField(json, "bodyBase64") ?? textField(generated, "jsonBase64") ?? "", "base64"),
    ...(typeof paddedToBytes === "number" && { paddedToBytes }),
    secrets: listField(json, "secrets").filter((secret) => typeof secret === "string"),
    nowMs: Number(field(json, "nowSeconds")) * 1_000,
    toleranceSeconds: typeof toleranceSeconds === "number" ? toleranceSeconds : DEFAULT_TOLERANCE_SECONDS,
    expect: textField(json, "expect") ?? "",
  };
}

/** Returns the header that a case tests, as it was sent. */
export function signatureOf(vector: Vector): string | undefined {
  return vector.headers.get(SIGNATURE_HEADER);
}
