import { problemSchema } from "@yagate/protocol";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { ApiDocument, Operation } from "./operations.ts";

/** Compares real answers with what the document says of them. */
export interface AnswerCheck {
  /** @throws Error for an answer that is not documented like this, or holds fields that the document does not name. */
  check(operation: Operation, answer: { readonly status: number; readonly type: string; readonly body: unknown }): void;
  /** @throws Error for an event that is not documented like this. */
  checkEvent(operation: Operation, event: unknown): void;
}

export function createAnswerCheck({ schemas }: ApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ allErrors: true, validateFormats: false, strict: false });
  ajv.addSchema({ $id: "api", components: { schemas: closed(schemas) } });
  const compiled = new Map<object, ValidateFunction>();

  function compile(schema: object): ValidateFunction {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"api#/components/');
    const validate = ajv.compile(JSON.parse(text));
    compiled.set(schema, validate);
    return validate;
  }

  return {
    checkEvent({ name, answers }, event) {
      const schema = answers.get("200")?.get("text/event-stream");
      if (schema === undefined) throw new Error(`${name}: a stream is not documented`);
      const validate = compile(schema);
      if (!validate(event))
        throw new Error(`${name}: an event is not as documented: ${ajv.errorsText(validate.errors)}`);
    },
    check({ name, answers, codes }, { status, type, body }) {
      const media = answers.get(String(status));
      if (type === "" && body === undefined && media?.size === 0) return;
      const schema = media?.get(type);
      if (schema === undefined) throw new Error(`${name}: ${status} ${type} is not documented`);
      if (type === "text/event-stream") return;
      const validate = compile(schema);
      if (!validate(body)) {
        throw new Error(`${name}: ${status} is not as documented: ${ajv.errorsText(validate.errors)}`);
      }
      const problem = problemSchema.safeParse(body);
      if (type !== "application/problem+json" || !problem.success) return;
      const { code } = problem.data;
      if (codes.get(String(status))?.includes(code) === true) return;
      throw new Error(`${name}: ${status} is not documented with the code ${code}: name it in the route's problems`);
    },
  };
}

/** What is open for later gateways is closed here, so that a field that nobody documented is found. */
function closed<Schema>(schema: Schema): Schema {
  const text = JSON.stringify(schema, (key, value) => {
    const isOpenObject = key === "additionalProperties" && typeof value === "object" && Object.keys(value).length === 0;
    return isOpenObject ? false : value;
  });
  return JSON.parse(text);
}
