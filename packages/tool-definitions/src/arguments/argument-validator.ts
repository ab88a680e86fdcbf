import { isJsonObject } from "@yagate/lib/json/json-object";
import { listShapeProblems, type ShapeProblem } from "@yagate/lib/json/json-shape";
import { VALUE_LIMITS } from "@yagate/lib/json-schema/limits";
import { typeName, withArticle } from "@yagate/lib/json-schema/violation-text";
import { cutText } from "@yagate/lib/text/cut-text";
import { YagateError } from "@yagate/protocol";
import type { CheckValue } from "./compile-schema.ts";
import { CompiledSchemas } from "./compiled-schemas.ts";
import { shortPath, toViolations, type Violation } from "./violations.ts";

/** The result of checking arguments: valid, or invalid with the reasons. */
export type ArgumentCheck = { readonly valid: true } | InvalidArguments;

/** Invalid arguments, with an `INVALID_ARGUMENTS` message for the model. */
export interface InvalidArguments {
  readonly valid: false;
  /**
   * Message for the model: each invalid field and what was expected there. At most 2,000 characters, without values.
   */
  readonly message: string;
  /** The individual violations, at most 50. */
  readonly errors: readonly Violation[];
}

/** Validates arguments and caches compiled schemas. */
export interface ArgumentValidator {
  /**
   * Validates the arguments of one call. It does not change the value: no coercion, no defaults, no dropped members.
   *
   * @param schemaHash - identifies the schema: equal hashes must mean equal schemas.
   * @param schema - a schema in which `checkParametersSchema` found no issue.
   * @param value - the arguments as parsed JSON.
   * @param maxCharacters - maximum size of the serialised value; default 1,048,576.
   * @throws YagateError `INTERNAL` if the schema can't be compiled.
   */
  validate(schemaHash: string, schema: unknown, value: unknown, maxCharacters?: number): ArgumentCheck;
}

/** Options for {@link createArgumentValidator}. */
export interface ArgumentValidatorOptions {
  /** Maximum number of cached schemas; default 500. Fewer are cached if they are large. */
  readonly maxEntries?: number;
  /** Called with the hash of a schema after the schema was compiled. */
  readonly onCompile?: (schemaHash: string) => void;
}

/** Maximum number of subschemas in all cached schemas, enough for 500 tools with 20 each. */
const MAX_COMPILED_SUBSCHEMAS = 10_000;

const SHAPE_MESSAGES = {
  NOT_JSON: "must be JSON",
  TOO_DEEP: `must nest at most ${VALUE_LIMITS.maxDepth} levels deep`,
  TOO_LARGE: "must be shorter when serialised",
  FORBIDDEN_KEY: "is a name that is never allowed: remove it",
} as const satisfies Record<ShapeProblem["code"], string>;

const TOO_MUCH_WORK: Violation = {
  path: "",
  code: "TOO_COMPLEX",
  message: "must be smaller: checking them against the schema takes too long",
};

/** Creates a validator with an empty cache. It compiles each schema on first use. */
export function createArgumentValidator(options: ArgumentValidatorOptions = {}): ArgumentValidator {
  const { maxEntries = 500, onCompile = () => {} } = options;
  const compiled = new CompiledSchemas({ maxEntries, maxWeight: MAX_COMPILED_SUBSCHEMAS, onCompile });
  return {
    validate(schemaHash, schema, value, maxCharacters = VALUE_LIMITS.maxCharacters) {
      const problems = listShapeProblems(value, { ...VALUE_LIMITS, maxCharacters });
      if (problems.length > 0) {
        const messages = {
          ...SHAPE_MESSAGES,
          TOO_LARGE: `must have at most ${maxCharacters} characters when serialised`,
        };
        return invalid(problems.map(({ path, code }) => ({ path: shortPath(path), code, message: messages[code] })));
      }
      if (!isJsonObject(value)) {
        const message = `must be an object, not ${withArticle(typeName(value))}`;
        return invalid([{ path: "", code: "TYPE", message }]);
      }
      const verdict = check(compiled, schemaHash, schema)(value);
      if (verdict === "valid") return { valid: true };
      if (verdict === "too much work") return invalid([TOO_MUCH_WORK]);
      const violations = toViolations(verdict);
      return invalid(violations, violations.length + verdict.count - verdict.kept.length);
    },
  };
}

function check(compiled: CompiledSchemas, schemaHash: string, schema: unknown): CheckValue {
  try {
    if (!isJsonObject(schema)) throw new Error("a parameters schema is an object");
    return compiled.get(schemaHash, schema);
  } catch (cause) {
    throw new YagateError("INTERNAL", "the tool's parameters schema could not be compiled", { cause });
  }
}

function invalid(violations: readonly Violation[], total = violations.length): InvalidArguments {
  return { valid: false, message: violationsMessage(violations, total), errors: violations };
}

const MAX_CHARACTERS = 2_000;
const MAX_PART_CHARACTERS = 400;

/**
 * Returns a sentence for the model with each path and what was expected there; at most 2,000 characters.
 *
 * @param total - the number of all violations, which may exceed the number of those that are listed.
 */
function violationsMessage(violations: readonly Violation[], total = violations.length): string {
  const parts = violations.map(({ path, message }) =>
    cutText(`${path === "" ? "the arguments" : path} ${message}`, MAX_PART_CHARACTERS),
  );
  let message = "the arguments do not fit the tool's parameters: ";
  for (const [index, part] of parts.entries()) {
    const separator = index === 0 ? "" : "; ";
    const rest = `${separator}and ${total - index} more`;
    if (message.length + separator.length + part.length + rest.length > MAX_CHARACTERS) return message + rest;
    message += separator + part;
  }
  return total > parts.length ? `${message}; and ${total - parts.length} more` : message;
}
