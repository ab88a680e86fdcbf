import { keywordCode } from "@yagate/lib/json-schema/keyword-code";
import { SchemaProblem } from "@yagate/lib/json-schema/schema-problem";
import { createSchemaValidator, type SchemaValidator } from "@yagate/lib/json-schema/schema-validator";
import type { SchemaViolation } from "@yagate/lib/json-schema/violation";
import { typeName } from "@yagate/lib/json-schema/violation-text";
import { YagateError } from "@yagate/protocol";
import { inferSchema } from "./inference/infer-schema.ts";
import type {
  InferenceResult,
  JsonJob,
  JsonJobResult,
  JsonWarning,
  SchemaCheckResult,
  ValidationResult,
} from "./json-validation.ts";
import { JSON_VALIDATOR_LIMITS } from "./limits.ts";
import { sizedJson } from "./sized-json.ts";
import { readJson } from "./syntax/read-json.ts";
import { cut, violationsText } from "./violations-text.ts";

const { maxDataCharacters, maxDataDepth, maxSchemaCharacters, maxSchemaDepth, maxSteps } = JSON_VALIDATOR_LIMITS;
const DATA_SIZE = { maxCharacters: maxDataCharacters, maxDepth: maxDataDepth };
const SCHEMA_SIZE = { maxCharacters: maxSchemaCharacters, maxDepth: maxSchemaDepth };
const DOCUMENTS_SIZE = { maxCharacters: 4 * maxSchemaCharacters, maxDepth: maxSchemaDepth + 1 };
const MAX_PATH_CHARACTERS = 300;
const MAX_ERROR_CHARACTERS = 600;

type Against = Extract<JsonJob, { operation: "check_schema" }>["against"];

/**
 * Runs a job.
 *
 * @throws YagateError `INVALID_ARGUMENTS` if a schema or a sample cannot be used.
 */
export function runJsonJob(job: JsonJob): JsonJobResult {
  if (job.operation === "infer") return infer(job);
  return job.operation === "check_schema" ? checkSchema(job.against) : validate(job);
}

function infer({ samples, draft, detectEnums }: Extract<JsonJob, { operation: "infer" }>): InferenceResult {
  const read = samples.map((sample, index) => sizedJson(sample, nameOf(index, samples.length), DATA_SIZE));
  const values = read.map(({ value }) => value);
  const result = inferSchema(values, { draft, detectEnums });
  if (JSON.stringify(result.schema).length > maxSchemaCharacters) {
    throw invalid(
      `the schema of these samples would have more than ${maxSchemaCharacters} characters: send samples with fewer different properties`,
    );
  }
  const texts = values.flatMap((value, index) => (holdsJson(value) ? [textSample(index)] : []));
  return { ...result, warnings: [...read.flatMap(({ warnings }) => warnings), ...texts, ...result.warnings] };
}

function nameOf(index: number, count: number): string {
  return count === 1 ? "the sample" : `sample ${index + 1}`;
}

function holdsJson(value: unknown): boolean {
  return typeof value === "string" && /^\s*[{[]/.test(value) && "value" in readJson(value);
}

function textSample(index: number): JsonWarning {
  const message = `sample ${index + 1} is a text that contains JSON and is treated as a string: to describe its content, pass the JSON itself`;
  return { code: "TEXT_SAMPLE", message };
}

function checkSchema(against: Against): SchemaCheckResult {
  try {
    const { value, warnings } = sizedJson(against.schema, "the schema", SCHEMA_SIZE);
    const validator = open(against, value);
    const { kept, count } = validator.schemaViolations;
    const errors = kept.map(({ path, keyword, message }) => ({
      path: `#${path}`,
      code: keywordCode(keyword),
      message,
    }));
    return schemaResult(validator.draft, errors, count, [
      ...warnings,
      ...draftWarning(against, validator),
      ...validator.warnings(),
    ]);
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error;
    return schemaResult(
      error.draft ?? null,
      [{ path: pathOf(error), code: error.code, message: error.message }],
      1,
      [],
    );
  }
}

function schemaResult(
  draft: SchemaCheckResult["draft"],
  errors: SchemaCheckResult["errors"],
  errorCount: number,
  warnings: readonly JsonWarning[],
): SchemaCheckResult {
  const bounded = errors.map((error) => ({
    ...error,
    path: cut(error.path, MAX_PATH_CHARACTERS),
    message: cut(error.message, MAX_ERROR_CHARACTERS),
  }));
  const texts = bounded.map(({ path, message }) => `${path} ${message}`);
  const message = errorCount === 0 ? {} : { message: violationsText(texts, errorCount) };
  return { valid: errorCount === 0, draft, errors: bounded, errorCount, ...message, warnings };
}

function validate({ json, against }: Extract<JsonJob, { operation: "validate" }>): ValidationResult {
  const read = "text" in json ? readJson(json.text) : { value: json.value, warnings: [], depth: 0 };
  // An unusable schema is reported even if the value is not JSON.
  const schema = against === undefined ? undefined : usableSchema(against);
  if ("syntaxError" in read) {
    const { syntaxError, warnings } = read;
    return { valid: false, isJson: false, syntaxError, warnings };
  }
  const type = typeName(read.value);
  if (schema === undefined || against === undefined) {
    return { valid: true, isJson: true, type, warnings: read.warnings };
  }
  const { value } = "text" in json && read.depth <= maxDataDepth ? read : sizedJson(json, "json", DATA_SIZE);
  const { validator, warnings } = schema;
  const { kept, count } = checked(() => validator.validate(value));
  const errors = kept.map(bounded);
  const texts = errors.map(({ path, message }) => `${path === "" ? "the value" : path} ${message}`);
  return {
    valid: count === 0,
    isJson: true,
    type,
    draft: validator.draft,
    errors,
    errorCount: count,
    ...(count === 0 ? {} : { message: violationsText(texts, count) }),
    warnings: [
      ...read.warnings,
      ...warnings,
      ...draftWarning(against, validator),
      ...formatWarning(against, validator),
      ...validator.unknownFormats(),
    ],
  };
}

function bounded({ path, schemaPath, keyword, message }: SchemaViolation): SchemaViolation {
  return {
    path: cut(path, MAX_PATH_CHARACTERS),
    schemaPath: cut(schemaPath, MAX_PATH_CHARACTERS),
    keyword,
    message: cut(message, MAX_ERROR_CHARACTERS),
  };
}

function usableSchema(against: Against): {
  readonly validator: SchemaValidator;
  readonly warnings: readonly JsonWarning[];
} {
  const { value, warnings } = sizedJson(against.schema, "the schema", SCHEMA_SIZE);
  const validator = checked(() => open(against, value));
  const { kept, count } = validator.schemaViolations;
  if (count > 0) {
    const texts = kept.map(({ path, message }) => `#${path} ${message}`);
    throw invalid(`the schema is not a valid draft ${validator.draft} schema: ${violationsText(texts, count)}`);
  }
  return { validator, warnings };
}

function open({ draft, documents: given, assertFormats, maxErrors }: Against, schema: unknown): SchemaValidator {
  const documents = Object.fromEntries(
    Object.entries(given).map(([address, document]) => {
      const name = `the schema ${cut(address, MAX_PATH_CHARACTERS)} in schemas`;
      return [address, sizedJson(document, name, DOCUMENTS_SIZE).value];
    }),
  );
  sizedJson({ value: documents }, "schemas", DOCUMENTS_SIZE);
  return createSchemaValidator({ schema, draft, documents, assertFormats }, { maxViolations: maxErrors, maxSteps });
}

/** Runs a function, and reports an unusable schema as an error in the arguments. */
function checked<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error;
    throw invalid(`the schema can't be used: ${cut(`${pathOf(error)} ${error.message}`.trim(), MAX_ERROR_CHARACTERS)}`);
  }
}

function pathOf({ path }: SchemaProblem): string {
  return path === "" ? "it" : path;
}

function draftWarning({ draft, isDraftGiven }: Against, validator: SchemaValidator): readonly JsonWarning[] {
  if (!isDraftGiven || draft === validator.draft) return [];
  const message = `the schema's $schema declares draft ${validator.draft}, which overrides the draft argument`;
  return [{ code: "DRAFT_BY_SCHEMA", message }];
}

function formatWarning({ assertFormats }: Against, validator: SchemaValidator): readonly JsonWarning[] {
  const formats = validator.uncheckedFormats();
  if (assertFormats || formats.length === 0) return [];
  const shown = cut(formats.join(", "), MAX_ERROR_CHARACTERS);
  const message = `format was not checked (${shown}): set assertFormats to true to check it`;
  return [{ code: "FORMATS_NOT_CHECKED", message }];
}

function invalid(message: string): YagateError {
  return new YagateError("INVALID_ARGUMENTS", message);
}
