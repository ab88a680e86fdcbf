import {
  executionInputSchema,
  inputMessageSchema,
  jsonObjectSchema,
  jsonValueSchema,
  MAX_CALLER_BYTES,
  MAX_METADATA_BYTES,
  partialLimitsSchema,
  scriptSchema,
} from "@yagate/protocol";
import * as z from "zod";
import { assertionSchema } from "./assertion-schema.ts";

/** How the arguments of a call are compared with the expected ones. */
export const matchModeSchema = z.enum(["exact", "partial", "schema", "bfcl"]);
export type MatchMode = z.infer<typeof matchModeSchema>;

/** Which order and which additional calls are accepted. */
export const orderModeSchema = z.enum(["strict", "in_order", "any"]);
export type OrderMode = z.infer<typeof orderModeSchema>;

/** Scores from 0 to 1 for which a case can set a minimum. */
export const SHARE_SCORES = [
  "selection_precision",
  "selection_recall",
  "arguments",
  "order",
  "success",
  "recovery",
  "citation_overlap",
  "safety",
] as const;
export type ShareScore = (typeof SHARE_SCORES)[number];

const word = z.string().trim().min(1).max(200);
const share = z.number().min(0).max(1);

/** A call that the agent is expected to make. */
export const expectedCallSchema = z
  .strictObject({
    name: word,
    /**
     * Depending on the mode, the values or their alternatives, or a JSON Schema. Absent: the arguments are not
     * compared.
     */
    arguments: z.record(z.string(), jsonValueSchema).optional(),
    /** Default: the mode of the case. */
    match: matchModeSchema.optional(),
    /** The JSON Schema of the tool's parameters, for `bfcl`. Default: the schema of the agent's tool. */
    parameters: jsonObjectSchema.optional(),
  })
  .superRefine(({ match, arguments: given }, context) => {
    if (match !== "bfcl") return;
    for (const [name, value] of Object.entries(given ?? {})) {
      if (Array.isArray(value)) continue;
      context.addIssue({
        code: "custom",
        path: ["arguments", name],
        message: "expected a list of acceptable values, because match is bfcl",
      });
    }
  });
export type ExpectedCall = z.output<typeof expectedCallSchema>;

/** What one run of a case may use. */
export const budgetSchema = z.strictObject({
  calls: z.int().min(0).optional(),
  tokens: z.int().min(0).optional(),
  cost_usd: z.number().min(0).optional(),
  wall_time_ms: z.number().min(0).optional(),
});
export type Budget = z.output<typeof budgetSchema>;

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
const objectOf = (maxBytes: number) =>
  jsonObjectSchema.refine((value) => bytesOf(value) <= maxBytes, `expected at most ${maxBytes} bytes of JSON`);

/** The fields of a case, as they are written in YAML. */
const caseShape = {
  /** 1 to 100 letters, digits, `.`, `_` or `-`; unique among the cases of a run. */
  case_id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "expected 1 to 100 letters, digits, dots, _ or -, such as where-is-it"),
  description: z.string().max(2_000).optional(),
  /** The agent's id, its name, or a file with its definition, relative to the file of the case. */
  agent: word.optional(),
  /** A question, or a conversation whose last message is the question. */
  input: executionInputSchema,
  expected_intents: z.array(word).max(100).optional(),
  expected_calls: z.array(expectedCallSchema).max(200).optional(),
  match: matchModeSchema.optional(),
  order: orderModeSchema.optional(),
  expected_status: z.enum(["completed", "failed", "cancelled"]).optional(),
  /** URLs, titles or artifact ids, in which `*` matches any characters. */
  required_sources: z.array(word).max(100).optional(),
  forbidden_tools: z.array(word).max(200).optional(),
  assert: z.array(assertionSchema).max(100).optional(),
  /** The minimum mean of the assertions' scores. Absent: every assertion must hold. */
  threshold: share.optional(),
  /** The minimum values of scores. */
  thresholds: z.partialRecord(z.enum(SHARE_SCORES), share).optional(),
  budget: budgetSchema.optional(),
  caller: objectOf(MAX_CALLER_BYTES).optional(),
  routing: jsonObjectSchema.optional(),
  metadata: objectOf(MAX_METADATA_BYTES).optional(),
  limits: partialLimitsSchema.optional(),
  tool_choice: z.enum(["auto", "required", "forbidden"]).optional(),
  /** The scripted turns that the model `scripted/turns` plays. */
  script: scriptSchema.optional(),
  /** The agent that judges `llm-rubric` assertions. */
  judge: word.optional(),
  /** The file of the recording, relative to the file of the case. Default: `cassettes/<case_id>.json`. */
  cassette: word.optional(),
  tags: z.array(word).max(50).optional(),
  /** How often the case runs, 1 to 100. Every run must pass. Default: 1. */
  repeat: z.int().min(1).max(100).optional(),
};

export const caseSchema = z.strictObject(caseShape);
/** A case as it is written. */
export type CaseDefinition = z.output<typeof caseSchema>;

/** Fields that a file may set for all of its cases. */
export const defaultsSchema = z
  .strictObject(caseShape)
  .omit({ case_id: true, input: true, description: true, script: true, cassette: true })
  .partial();
export type CaseDefaults = z.output<typeof defaultsSchema>;

/** A file with several cases. */
export const caseFileSchema = z.strictObject({
  description: z.string().max(2_000).optional(),
  defaults: defaultsSchema.optional(),
  cases: z.array(z.unknown()).min(1),
});

/** The names that each object of a case file may contain, for suggestions. */
export const KNOWN_FIELDS = {
  file: Object.keys(caseFileSchema.shape),
  case: Object.keys(caseShape),
  call: Object.keys(expectedCallSchema.shape),
  assertion: Object.keys(assertionSchema.shape),
  budget: Object.keys(budgetSchema.shape),
  message: Object.keys(inputMessageSchema.shape),
  limits: Object.keys(partialLimitsSchema.shape),
} as const;
