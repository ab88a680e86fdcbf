import { toolCallSchema } from "@yagate/protocol";
import file from "@yagate/protocol/vectors/signature.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { verifyCall } from "../src/index.ts";
import { outcomeOf } from "./support/outcome.ts";

const vectorSchema = z.object({
  id: z.string(),
  level: z.enum(["signature", "call"]),
  headers: z.record(z.string(), z.string()),
  bodyBase64: z.string().optional(),
  bodyGenerate: z.object({ jsonBase64: z.string(), padWithSpacesToBytes: z.int() }).optional(),
  secrets: z.array(z.string()),
  nowSeconds: z.number(),
  toleranceSeconds: z.number().optional(),
  expect: z.string(),
});
type Vector = z.infer<typeof vectorSchema>;

const vectors = z.array(vectorSchema).parse(file.cases);

function bodyOf({ bodyBase64, bodyGenerate }: Vector): Buffer {
  if (bodyGenerate === undefined) return Buffer.from(bodyBase64 ?? "", "base64");
  const json = Buffer.from(bodyGenerate.jsonBase64, "base64");
  return Buffer.concat([json, Buffer.alloc(bodyGenerate.padWithSpacesToBytes - json.byteLength, " ")]);
}

/** A vector of the level "signature" may sign what is no call: then the signature passes and the fields do not. */
function expectedOutcome(vector: Vector): string {
  if (vector.level === "call" || vector.expect !== "accept") return vector.expect;
  const text = bodyOf(vector).toString();
  return toolCallSchema.safeParse(text === "" ? undefined : JSON.parse(text)).success ? "accept" : "PAYLOAD_INVALID";
}

describe("verifyCall agrees with the published vectors", () => {
  it("finds cases of both levels", () => {
    expect(vectors.filter(({ level }) => level === "signature").length).toBeGreaterThanOrEqual(34);
    expect(vectors.filter(({ level }) => level === "call").length).toBeGreaterThanOrEqual(19);
  });

  it.each(vectors.map((vector) => [vector.id, vector] as const))("%s", async (_id, vector) => {
    const { headers, secrets, toleranceSeconds, nowSeconds } = vector;
    const verification = () =>
      verifyCall({ headers, body: bodyOf(vector) }, { secrets, toleranceSeconds, now: () => nowSeconds * 1000 });
    expect(await outcomeOf(verification)).toBe(expectedOutcome(vector));
  });
});
