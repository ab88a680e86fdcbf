import { toolCallSchema } from "@yagate/protocol";
import describeFile from "@yagate/protocol/vectors/describe-signature.json" with { type: "json" };
import file from "@yagate/protocol/vectors/signature.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createHandler, verifyCall } from "../src/index.ts";
import { outcomeOf } from "./support/outcome.ts";
import { createRecordingLogger } from "./support/recording-logger.ts";
import { toolThat } from "./support/tools.ts";

const messageSchema = z.object({
  id: z.string(),
  headers: z.record(z.string(), z.string()),
  bodyBase64: z.string().optional(),
  bodyGenerate: z.object({ jsonBase64: z.string(), padWithSpacesToBytes: z.int() }).optional(),
  secrets: z.array(z.string()),
  expect: z.string(),
});
const vectorSchema = messageSchema.extend({
  level: z.enum(["signature", "call"]),
  nowSeconds: z.number(),
  toleranceSeconds: z.number().optional(),
});
const describeVectorSchema = messageSchema.extend({
  level: z.enum(["request", "call"]),
  nowSeconds: z.number(),
  audience: z.string(),
});
type Vector = z.infer<typeof vectorSchema>;

const vectors = z.array(vectorSchema).parse(file.cases);

function bodyOf({ bodyBase64, bodyGenerate }: z.infer<typeof messageSchema>): Buffer {
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

describe("a handler agrees with the published vectors of describe requests", () => {
  const messages = z
    .array(describeVectorSchema)
    .parse(describeFile.cases.filter(({ level }) => level !== "describe"))
    .map((vector) => [vector.id, vector] as const);

  it("finds cases of both levels", () => {
    expect(messages.filter(([, { level }]) => level === "request").length).toBeGreaterThanOrEqual(22);
    expect(messages.filter(([, { level }]) => level === "call").length).toBeGreaterThanOrEqual(3);
  });

  it.each(messages)("%s", async (_id, vector) => {
    const { level, headers, secrets, nowSeconds, audience } = vector;
    let runs = 0;
    const handler = createHandler({
      secrets,
      audience,
      tools: [toolThat(() => (runs += 1))],
      logger: createRecordingLogger(),
      now: () => nowSeconds * 1000,
      describe: level === "request",
    });
    const response = await handler(new Request(audience, { method: "POST", headers, body: bodyOf(vector) }));
    const { error, protocolVersion } = Object(await response.json());
    expect(error?.code ?? (protocolVersion === 1 ? "accept" : "no manifest")).toBe(vector.expect);
    expect(runs).toBe(0);
  });

  it.each(messages.filter(([, { level }]) => level === "call"))(
    "%s is no call for verifyCall either",
    async (_id, vector) => {
      const { headers, secrets, nowSeconds, audience } = vector;
      const verification = () =>
        verifyCall({ headers, body: bodyOf(vector) }, { secrets, audience, now: () => nowSeconds * 1000 });
      expect(await outcomeOf(verification)).toBe(vector.expect);
    },
  );
});
