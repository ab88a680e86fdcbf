import * as z from "zod";

/** One operation of the served OpenAPI document: the table that the tests of every route are made from. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  /** With `{name}` parameters. */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly tags: readonly string[];
  /** Null: open to everybody. */
  readonly scopes: readonly string[] | null;
  readonly requestSchema: object | undefined;
  /** Schemas by status (or `default`) and media type. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, object>>;
  /** By status: the codes of the problems that it can be. */
  readonly codes: ReadonlyMap<string, readonly string[]>;
}

const contentSchema = z.record(z.string(), z.object({ schema: z.looseObject({}) }));

const responseSchema = z.looseObject({
  $ref: z.string().optional(),
  content: contentSchema.optional(),
  "x-yagate-codes": z.array(z.string()).optional(),
});

const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        tags: z.array(z.string()),
        parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })),
        "x-yagate-scopes": z.array(z.string()).optional(),
        requestBody: z.object({ content: contentSchema }).optional(),
        responses: z.record(z.string(), responseSchema),
      }),
    ),
  ),
  components: z.looseObject({
    schemas: z.record(z.string(), z.looseObject({})),
    responses: z.record(z.string(), responseSchema),
  }),
});

export interface ApiDocument {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, object>>;
}

export function readDocument(json: unknown): ApiDocument {
  const { paths, components } = documentSchema.parse(json);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method,
      path,
      parameters: operation.parameters,
      tags: operation.tags,
      scopes: operation["x-yagate-scopes"] ?? null,
      requestSchema: operation.requestBody?.content["application/json"]?.schema,
      ...answersOf(operation.responses, components.responses),
    })),
  );
  return { operations, schemas: components.schemas };
}

type Responses = Readonly<Record<string, z.infer<typeof responseSchema>>>;

function answersOf(responses: Responses, named: Responses): Pick<Operation, "answers" | "codes"> {
  const resolved = Object.entries(responses).map(([status, response]) => {
    const name = response.$ref?.replace("#/components/responses/", "");
    return [status, (name === undefined ? response : named[name]) ?? response] as const;
  });
  return {
    answers: new Map(resolved.map(([status, { content }]) => [status, mediaOf(content)])),
    codes: new Map(resolved.map(([status, response]) => [status, response["x-yagate-codes"] ?? []])),
  };
}

function mediaOf(content: z.infer<typeof contentSchema> | undefined): ReadonlyMap<string, object> {
  return new Map(Object.entries(content ?? {}).map(([type, { schema }]) => [type, schema]));
}
