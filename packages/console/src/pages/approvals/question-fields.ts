import { isJsonObject } from "@yagate/lib/json/json-object";

/** One field of a form that a tool asks for. Its texts come from the tool. */
export interface QuestionField {
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly type: "string" | "number" | "boolean" | "choice";
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  /** What the field starts with, as it is written. */
  readonly start: string;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

/** Returns the fields of a flat JSON Schema. A schema that is not an object has none. */
export function fieldsOf(schema: unknown): readonly QuestionField[] {
  if (!isJsonObject(schema) || !isJsonObject(schema["properties"])) return [];
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(schema["properties"]).map(([name, property]) => {
    const field = isJsonObject(property) ? property : {};
    const choices = Array.isArray(field["enum"]) ? field["enum"].map(String) : [];
    const start = field["default"];
    return {
      name,
      title: textOf(field["title"]) ?? name,
      description: textOf(field["description"]),
      type: choices.length > 0 ? "choice" : typeOf(field["type"]),
      choices,
      isRequired: required.includes(name),
      start: start === undefined || start === null ? "" : String(start),
    };
  });
}

function typeOf(type: unknown): QuestionField["type"] {
  if (type === "number" || type === "integer") return "number";
  return type === "boolean" ? "boolean" : "string";
}

/** Returns the content of an answer. Empty fields that are not required are left out. */
export function toContent(
  fields: readonly QuestionField[],
  written: Readonly<Record<string, string>>,
): Record<string, string | number | boolean> {
  const entries = fields.flatMap(
    ({ name, type, isRequired, start }): (readonly [string, string | number | boolean])[] => {
      const text = written[name] ?? start;
      if (type === "boolean") return [[name, text === "true"]];
      if (text === "" && !isRequired) return [];
      return [[name, type === "number" && text !== "" ? Number(text) : text]];
    },
  );
  return Object.fromEntries(entries);
}
