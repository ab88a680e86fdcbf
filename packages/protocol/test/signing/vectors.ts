import { readFileSync } from "node:fs";
import { z } from "zod";

const vectorSchema = z.object({
  id: z.string(),
  level: z.string(),
  description: z.string(),
  headers: z.record(z.string(), z.string()),
  toolCallId: z.string().optional(),
  requestId: z.string().optional(),
  status: z.number().optional(),
  bodyBase64: z.string().optional(),
  bodyGenerate: z.object({ jsonBase64: z.string(), padWithSpacesToBytes: z.int() }).optional(),
  secrets: z.array(z.string()),
  expect: z.string(),
});

const fileSchema = z.object({ cases: z.array(vectorSchema) });

export type Vector = z.infer<typeof vectorSchema> & { body: Uint8Array };

function bodyOf({ bodyBase64, bodyGenerate }: z.infer<typeof vectorSchema>): Uint8Array {
  if (bodyGenerate === undefined) return Buffer.from(bodyBase64 ?? "", "base64");
  const json = Buffer.from(bodyGenerate.jsonBase64, "base64");
  return Buffer.concat([json, Buffer.alloc(bodyGenerate.padWithSpacesToBytes - json.byteLength, " ")]);
}

/** The cases of one level of a published vector file. */
export function readVectors(file: string, level: string): Vector[] {
  const text = readFileSync(new URL(`../../vectors/${file}`, import.meta.url), "utf8");
  const { cases } = fileSchema.parse(JSON.parse(text));
  return cases.filter((vector) => vector.level === level).map((vector) => ({ ...vector, body: bodyOf(vector) }));
}
