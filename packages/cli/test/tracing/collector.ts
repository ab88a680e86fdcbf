import { createServer, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";

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
  /** Of spans that came as protobuf. */
  protobufSpanNames(): readonly string[];
}

const RESOURCE_SPANS = 1;
const SCOPE_SPANS = 2;
const SPANS = 2;
const NAME = 5;

/** The length-delimited fields of this number in a protobuf message. */
function fieldsIn(message: Buffer, wanted: number): readonly Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  function varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }
  while (at < message.length) {
    const tag = varint();
    const [field, wireType] = [tag >> 3, tag & 7];
    if (wireType === 0) varint();
    else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else {
      const length = varint();
      if (field === wanted) found.push(message.subarray(at, at + length));
      at += length;
    }
  }
  return found;
}

function spanNamesIn(request: Buffer): readonly string[] {
  const path = [RESOURCE_SPANS, SCOPE_SPANS, SPANS, NAME];
  const names = path.reduce<readonly Buffer[]>(
    (messages, field) => messages.flatMap((message) => fieldsIn(message, field)),
    [request],
  );
  return names.map(String);
}

export async function startCollector(status = 200): Promise<Collector> {
  const paths: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const isZipped = request.headers["content-encoding"] === "gzip";
    paths.push(request.url ?? "");
    headers.push(request.headers);
    bodies.push(isZipped ? gunzipSync(body) : body);
    response.writeHead(status, { "content-type": "application/json" });
    response.end("{}");
  });
  const origin = await listenOnLoopback(server);
  const resources = () => bodies.flatMap((body) => requestSchema.parse(JSON.parse(String(body))).resourceSpans);
  return {
    url: origin,
    paths,
    headers,
    text: () => bodies.join("\n"),
    spans: () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    protobufSpanNames: () => bodies.flatMap(spanNamesIn),
    resource: () => resources()[0]?.resource.attributes ?? {},
  };
}
