import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import {
  describeRequestSchema,
  MANIFEST_VERSION,
  type ManifestTool,
  signManifest,
  verifyDescribe,
  verifySignature,
} from "@yagate/protocol";
import { afterAll } from "vitest";

/** What a handler answers to a describe request, besides a manifest of its tools. */
export interface OtherAnswer {
  readonly status?: number;
  readonly body?: string;
  /** Replaces the manifest's signature; undefined: none. */
  readonly signature?: string | undefined;
}

/** A handler that describes its tools, which a test changes while it runs. */
export interface DescribingHandler {
  readonly url: string;
  tools: readonly ManifestTool[];
  schemaGenerator: string | undefined;
  /** Answers describe requests in another way. */
  other: OtherAnswer | undefined;
  /** Whether calls are answered as those of a tool that the handler does not have. */
  hasNoTools: boolean;
  /** Called before each answer to a call. */
  beforeCall: (() => Promise<void>) | undefined;
  /** Called before each answer to a describe request. */
  beforeAnswer: (() => Promise<void>) | undefined;
  /** The bodies of describe requests. */
  readonly describes: readonly unknown[];
  /** The bodies of signed calls. */
  readonly calls: readonly { readonly name: string }[];
}

const opened: Server[] = [];
afterAll(() => {
  for (const server of opened) {
    server.close();
    server.closeAllConnections();
  }
});

export function describedTool(name: string, rest: Partial<ManifestTool> = {}): ManifestTool {
  const parameters = { type: "object", properties: { orderId: { type: "string" } } } as const;
  return { name, description: `Runs ${name}.`, parameters, sideEffect: "read_only", ...rest };
}

/** Starts a handler that lives as long as the tests of its file. Its calls answer with the name of the tool. */
export async function startDescribingHandler(
  secret: () => Promise<string>,
  tools: readonly ManifestTool[],
): Promise<DescribingHandler> {
  const describes: unknown[] = [];
  const calls: { readonly name: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const header = String(request.headers["x-ya-signature"]);
    const secrets = [await secret()];
    const parsed = JSON.parse(body.toString());
    if (parsed.type !== "describe") {
      await verifySignature(header, body, secrets);
      calls.push(parsed);
      await handler.beforeCall?.();
      if (handler.hasNoTools) {
        response.writeHead(404, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: { code: "UNKNOWN_TOOL", message: "this handler has no such tool" } }));
        return;
      }
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ result: `ran ${parsed.name}` }));
      return;
    }
    await verifyDescribe(header, body, secrets);
    const { requestId } = describeRequestSchema.parse(parsed);
    describes.push(parsed);
    await handler.beforeAnswer?.();
    const { schemaGenerator, other } = handler;
    const manifest = { protocolVersion: MANIFEST_VERSION, schemaGenerator, tools: handler.tools };
    const answer = Buffer.from(other?.body ?? JSON.stringify(manifest));
    const status = other?.status ?? 200;
    const own = await signManifest({ requestId, status, body: answer }, secrets);
    const signature = other !== undefined && "signature" in other ? other.signature : own;
    response.writeHead(status, signature === undefined ? {} : { "x-ya-signature": signature });
    response.end(answer);
  });
  opened.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const handler: DescribingHandler = {
    url: `http://127.0.0.1:${port}/tools`,
    tools,
    schemaGenerator: undefined,
    other: undefined,
    hasNoTools: false,
    beforeCall: undefined,
    beforeAnswer: undefined,
    describes,
    calls,
  };
  return handler;
}
