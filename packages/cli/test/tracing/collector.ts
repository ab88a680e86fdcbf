import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { z } from "zod";

const valueSchema = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.number() }).transform(({ intValue }) => intValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  z.object({ arrayValue: z.unknown() }).transform(() => "an array"),
]);
const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value])));
const spanSchema = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string().regex(/^\d+$/),
  endTimeUnixNano: z.string().regex(/^\d+$/),
  attributes: attributesSchema,
  status: z.object({ code: z.number() }),
});
const requestSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(spanSchema) })),
    }),
  ),
});

export type CollectedSpan = z.infer<typeof spanSchema>;

/** A receiver of OTLP over HTTP, which decodes what it gets. */
export interface Collector {
  readonly url: string;
  readonly paths: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** The bytes of all requests, as text. */
  text(): string;
  spans(): readonly CollectedSpan[];
  resource(): Readonly<Record<string, unknown>>;
}

export async function startCollector(status = 200): Promise<Collector> {
  const paths: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const isZipped = request.headers["content-encoding"] === "gzip";
    paths.push(request.url ?? "");
    headers.push(request.headers);
    bodies.push((isZipped ? gunzipSync(body) : body).toString());
    response.writeHead(status, { "content-type": "application/json" });
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const resources = () => bodies.flatMap((body) => requestSchema.parse(JSON.parse(body)).resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    headers,
    text: () => bodies.join("\n"),
    spans: () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resource: () => resources()[0]?.resource.attributes ?? {},
  };
}
