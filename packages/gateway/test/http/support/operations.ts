import { z } from "zod";

/** One operation of the served OpenAPI document: the table that the tests of every route are made from. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  /** With `{name}` parameters. */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  /** Null: open to everybody. */
  readonly scopes: readonly string[] | null;
  readonly requestSchema: object | undefined;
  /** Schemas by status (or `default`) and media type. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, object>>;
}

const contentSchema = z.record(z.string(), z.object({ schema: z.looseObject({}) }));

const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })),
        "x-yagate-scopes": z.array(z.string()).optional(),
        requestBody: z.object({ content: contentSchema }).optional(),
        responses: z.record(z.string(), z.object({ content: contentSchema.optional() })),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
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
      scopes: operation["x-yagate-scopes"] ?? null,
      requestSchema: operation.requestBody?.content["application/json"]?.schema,
      answers: new Map(Object.entries(operation.responses).map(([status, { content }]) => [status, mediaOf(content)])),
    })),
  );
  return { operations, schemas: components.schemas };
}

function mediaOf(content: z.infer<typeof contentSchema> | undefined): ReadonlyMap<string, object> {
  return new Map(Object.entries(content ?? {}).map(([type, { schema }]) => [type, schema]));
}
