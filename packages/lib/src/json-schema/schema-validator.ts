import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { appendPointer } from "../json/json-pointer.ts";
import { Evaluation } from "./evaluation.ts";
import { FORMATS, type Formats } from "./formats/formats.ts";
import { DRAFT_URIS, type Draft, isFrom } from "./reading/drafts.ts";
import { META_SCHEMAS } from "./reading/meta-schemas.ts";
import { type SchemaPlace, SchemaResources } from "./reading/schema-resources.ts";
import { schemaWarnings, unknownFormatWarnings } from "./reading/schema-warnings.ts";
import { withDraft } from "./schema-problem.ts";
import { StepBudget } from "./step-budget.ts";
import { type SchemaWarning, ViolationList } from "./violation.ts";

/** A schema and the options for reading it. */
export interface SchemaInput {
  readonly schema: unknown;
  /** The draft of schemas that do not declare a draft. */
  readonly draft: Draft;
  /** Other schemas, keyed by the URIs with which the schema refers to them. */
  readonly documents: Readonly<Record<string, unknown>>;
  /** Whether `format` is checked. */
  readonly assertFormats: boolean;
  /** The supported formats. Default: those of JSON Schema. */
  readonly formats?: Formats;
  /** Whether messages may quote the validated value. Default: true. */
  readonly quotesValues?: boolean;
}

/** Limits on one validation. */
export interface ValidationBounds {
  /** Number of violations that are listed. */
  readonly maxViolations: number;
  /** Maximum number of steps of 20 to 100 ns each; see StepBudget. */
  readonly maxSteps: number;
}

/** A schema prepared for validation. */
export interface SchemaValidator {
  readonly draft: Draft;
  /** Errors in the schema itself. If there are any, do not validate values against it. */
  readonly schemaViolations: ViolationList;
  /**
   * Validates a value.
   *
   * @throws SchemaProblem `TOO_COMPLEX`, `ENDLESS_REFERENCE`.
   */
  validate(value: unknown): ViolationList;
  /** Returns the parts of the schema that have no effect. */
  warnings(): readonly SchemaWarning[];
  /** Returns the distinct formats that are checked only on request. */
  uncheckedFormats(): readonly string[];
  /** Returns the locations of formats that are never checked. `warnings` also contains them. */
  unknownFormats(): readonly SchemaWarning[];
}

/**
 * Reads a schema: determines its draft, validates it against the meta-schema of that draft, follows every reference and
 * compiles every pattern. All problems with the schema are therefore found before a value is validated.
 *
 * @throws SchemaProblem if the schema can't be used.
 */
export function createSchemaValidator(input: SchemaInput, bounds: ValidationBounds): SchemaValidator {
  const { schema } = input;
  const budget = new StepBudget(bounds.maxSteps);
  const evaluation = openSchema(input, budget);
  const { resources } = evaluation;
  const { draft } = resources.main.dialect;
  const schemaViolations = withDraft(draft, () => {
    const violations = checkAgainstMetaSchema(schema, draft, bounds.maxViolations, budget);
    if (violations.count === 0) prepareAll(evaluation);
    return violations;
  });
  return {
    draft,
    schemaViolations,
    validate: (value) => checkValue(evaluation, schema, value, bounds.maxViolations),
    warnings: () => schemaWarnings(resources),
    uncheckedFormats: () => uncheckedFormats(resources),
    unknownFormats: () => unknownFormatWarnings(resources),
  };
}

/**
 * Reads a schema that is known to be valid, to validate many values.
 *
 * @returns a function that returns the violations of a value. Each validation may use `maxSteps` steps; if it needs
 *   more, the function throws SchemaProblem `TOO_COMPLEX`.
 * @throws SchemaProblem if the schema can't be used.
 */
export function compileCheckedSchema(
  input: SchemaInput,
  { maxSteps, maxViolations }: ValidationBounds,
): (value: unknown) => ViolationList {
  const budget = new StepBudget(maxSteps);
  const evaluation = openSchema(input, budget);
  prepareAll(evaluation);
  return (value) => {
    budget.reset();
    return checkValue(evaluation, input.schema, value, maxViolations);
  };
}

function openSchema(input: SchemaInput, budget: StepBudget): Evaluation {
  const { schema, draft, documents, assertFormats, formats = FORMATS, quotesValues = true } = input;
  const resources = new SchemaResources(schema, documents, draft);
  return new Evaluation(resources, budget, { assertFormats, formats, quotesValues });
}

function prepareAll(evaluation: Evaluation): void {
  for (const [schema, place] of evaluation.resources.schemas()) prepare(schema, place, evaluation);
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

/** The meta-schemas that have been read. They never change, so each is read only once. */
const META_RESOURCES = new Map<Draft, SchemaResources>();

/**
 * Validates a schema against the meta-schema of its draft and returns the violations.
 *
 * @param budget - limits the work for a schema of any size. Omit it for a small schema, because the work is
 *   proportional to the size.
 * @throws SchemaProblem `TOO_COMPLEX`.
 */
export function checkAgainstMetaSchema(
  schema: unknown,
  draft: Draft,
  maxViolations: number,
  budget = new StepBudget(Number.POSITIVE_INFINITY),
): ViolationList {
  const metaSchema = META_SCHEMAS.get(DRAFT_URIS[draft]);
  const resources = META_RESOURCES.get(draft) ?? new SchemaResources(metaSchema, {}, draft);
  META_RESOURCES.set(draft, resources);
  const evaluation = new Evaluation(resources, budget, { assertFormats: false, formats: FORMATS, quotesValues: true });
  return checkValue(evaluation, metaSchema, schema, maxViolations);
}

function checkValue(evaluation: Evaluation, schema: unknown, value: unknown, maxViolations: number): ViolationList {
  const violations = new ViolationList(maxViolations);
  if (isJsonObject(schema)) {
    const check = { schema, value, at: undefined, scope: undefined, ongoing: undefined };
    // Most values are valid, and checking only their validity takes a fraction of the time.
    const fits = evaluation.check({ ...check, violations: undefined }) !== undefined;
    if (!fits) evaluation.check({ ...check, violations });
  } else if (schema === false) {
    const message = "is not allowed: the schema is false";
    violations.add(() => ({ path: "", schemaPath: "#", keyword: "false", message }));
  }
  return violations;
}
