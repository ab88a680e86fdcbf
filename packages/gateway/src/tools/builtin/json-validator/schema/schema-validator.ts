import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";
import { FORMATS } from "../formats/formats.ts";
import type { JsonWarning } from "../json-validation.ts";
import { DRAFT_URIS, type Draft, isFrom } from "./drafts.ts";
import { Evaluation } from "./evaluation.ts";
import { META_SCHEMAS } from "./meta-schemas.ts";
import { withDraft } from "./schema-problem.ts";
import { type SchemaPlace, SchemaResources } from "./schema-resources.ts";
import { schemaWarnings, unknownFormatWarnings } from "./schema-warnings.ts";
import { StepBudget } from "./step-budget.ts";
import { ViolationList } from "./violation.ts";

/** A schema and how it is to be read. */
export interface SchemaInput {
  readonly schema: unknown;
  /** Of a schema that does not say it itself. */
  readonly draft: Draft;
  /** Other schemas by the addresses under which the schema refers to them. */
  readonly documents: Readonly<Record<string, unknown>>;
  /** Whether `format` is checked. */
  readonly assertFormats: boolean;
}

/** Bounds of one validation. */
export interface ValidationBounds {
  /** Violations that are told one by one. */
  readonly maxViolations: number;
  /** See StepBudget; a step takes 20 to 100 ns. */
  readonly maxSteps: number;
}

/** A schema that can be used. */
export interface SchemaValidator {
  readonly draft: Draft;
  /** What is wrong with the schema itself; when there is anything, nothing should be checked against it. */
  readonly schemaViolations: ViolationList;
  /** @throws SchemaProblem `too_complex`, `endless_reference`. */
  validate(value: unknown): ViolationList;
  /** What the schema says without effect. */
  warnings(): readonly JsonWarning[];
  /** The formats that could be checked and would not be by themselves, each once. */
  uncheckedFormats(): readonly string[];
  /** The places of formats that are never checked. They are in `warnings` too. */
  unknownFormats(): readonly JsonWarning[];
}

/**
 * Reads a schema: finds its draft, checks it against the meta-schema of that, follows every reference and compiles every
 * pattern, so that whatever can't be checked is told before a value is looked at.
 *
 * @throws SchemaProblem when the schema can't be used.
 */
export function createSchemaValidator(input: SchemaInput, bounds: ValidationBounds): SchemaValidator {
  const { schema, draft, documents, assertFormats } = input;
  const resources = new SchemaResources(schema, documents, draft);
  const budget = new StepBudget(bounds.maxSteps);
  const evaluation = new Evaluation(resources, budget, assertFormats);
  const { draft: ownDraft } = resources.main.dialect;
  const schemaViolations = withDraft(ownDraft, () => {
    const violations = checkAgainstMetaSchema(schema, ownDraft, bounds, budget);
    if (violations.count === 0) for (const [one, place] of resources.schemas()) prepare(one, place, evaluation);
    return violations;
  });
  return {
    draft: ownDraft,
    schemaViolations,
    validate: (value) => validateWith(evaluation, schema, value, bounds),
    warnings: () => schemaWarnings(resources),
    uncheckedFormats: () => uncheckedFormats(resources),
    unknownFormats: () => unknownFormatWarnings(resources),
  };
}

function uncheckedFormats(resources: SchemaResources): readonly string[] {
  const formats = new Set<string>();
  for (const [{ format }, { resource }] of resources.schemas()) {
    if (typeof format === "string" && FORMATS.has(format) && !resource.dialect.assertsFormats) formats.add(format);
  }
  return [...formats];
}

function prepare(schema: JsonObject, { resource, document, pointer }: SchemaPlace, evaluation: Evaluation): void {
  const { draft } = resource.dialect;
  const path = `${document}#${pointer}`;
  const { resources, patterns } = evaluation;
  const { $ref, $dynamicRef, $recursiveRef, pattern, patternProperties } = schema;
  if (typeof $ref === "string") {
    resources.resolve($ref, resource, `${path}/$ref`);
    if (!isFrom(draft, "2019-09")) return;
  }
  if (typeof $dynamicRef === "string" && draft === "2020-12") {
    resources.resolve($dynamicRef, resource, `${path}/$dynamicRef`);
  }
  if (typeof $recursiveRef === "string" && draft === "2019-09") {
    resources.resolve($recursiveRef, resource, `${path}/$recursiveRef`);
  }
  if (typeof pattern === "string") patterns.compile(pattern, `${path}/pattern`);
  if (!isJsonObject(patternProperties)) return;
  for (const source of Object.keys(patternProperties)) {
    patterns.compile(source, appendPointer(`${path}/patternProperties`, source));
  }
}

/** The meta-schemas never change: each is read once. */
const META_RESOURCES = new Map<Draft, SchemaResources>();

function checkAgainstMetaSchema(
  schema: unknown,
  draft: Draft,
  bounds: ValidationBounds,
  budget: StepBudget,
): ViolationList {
  const metaSchema = META_SCHEMAS.get(DRAFT_URIS[draft]);
  const resources = META_RESOURCES.get(draft) ?? new SchemaResources(metaSchema, {}, draft);
  META_RESOURCES.set(draft, resources);
  return validateWith(new Evaluation(resources, budget, false), metaSchema, schema, bounds);
}

function validateWith(
  evaluation: Evaluation,
  schema: unknown,
  value: unknown,
  { maxViolations }: ValidationBounds,
): ViolationList {
  const violations = new ViolationList(maxViolations);
  const onFalse = () =>
    violations.add(() => ({
      path: "",
      schemaPath: "#",
      keyword: "false",
      message: "is not allowed: the schema is false",
    }));
  evaluation.check({ schema, value, at: undefined, scope: undefined, violations, onFalse });
  return violations;
}
