import {
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  Server,
} from "@modelcontextprotocol/server";
import { type HttpServer, startHttpServer } from "./http-server.ts";

const COLOUR = {
  type: "object" as const,
  properties: {
    colour: { type: "string" as const, title: "Colour", enum: ["green", "blue"] },
    coats: { type: "integer" as const },
  },
  required: ["colour"],
};

/** A server of the second SDK whose tools ask before they work. It lives as long as the current test. */
export async function startAskingServer(
  options: {
    readonly ttlSeconds?: number;
    readonly legacy?: "stateless" | "reject";
    /** Awaited when a call with answers arrives, before the tool works. */
    readonly onAnswers?: () => Promise<void>;
  } = {},
): Promise<HttpServer & { readonly painted: unknown[]; readonly declared: unknown[] }> {
  const { ttlSeconds, legacy = "reject" } = options;
  const painted: unknown[] = [];
  const declared: unknown[] = [];
  const codec = createRequestStateCodec<{ readonly round: number }>({
    key: "0123456789abcdef0123456789abcdef",
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
  });
  const handler = createMcpHandler(
    () => {
      const server = new Server(
        { name: "asking", version: "1" },
        { capabilities: { tools: {} }, requestState: { verify: codec.verify } },
      );
      server.setRequestHandler("tools/list", () => ({
        tools: ["paint", "visit", "busy"].map((name) => ({ name, inputSchema: { type: "object" as const } })),
      }));
      server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
        if (mcpReq.inputResponses !== undefined) await options.onAnswers?.();
        const { round = 0 } = mcpReq.requestState<{ readonly round: number }>() ?? {};
        const requestState = await codec.mint({ round: round + 1 });
        if (params.name === "busy") {
          if (round < 1) return inputRequired({ requestState });
          return { content: [{ type: "text", text: `done in round ${round}` }] };
        }
        const colour = acceptedContent(mcpReq.inputResponses, "colour");
        if (params.name === "visit" || colour !== undefined) {
          if (round > 0) {
            painted.push(mcpReq.inputResponses);
            return { content: [{ type: "text", text: `painted: ${JSON.stringify(mcpReq.inputResponses)}` }] };
          }
        } else if (mcpReq.inputResponses !== undefined) {
          return { content: [{ type: "text", text: `not painted: ${JSON.stringify(mcpReq.inputResponses)}` }] };
        }
        return inputRequired({
          requestState,
          inputRequests: {
            colour: inputRequired.elicit({ message: "Which colour?", requestedSchema: COLOUR }),
            ...(params.name === "visit" && {
              page: inputRequired.elicitUrl({ message: "Sign in there", url: "https://example.com/sign-in" }),
            }),
          },
        });
      });
      return server;
    },
    { legacy },
  );
  const served = await startHttpServer(async ({ method, headers, body }, response) => {
    const list = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const { params } = JSON.parse(body);
    declared.push(params?.capabilities ?? params?._meta?.["io.modelcontextprotocol/clientCapabilities"]);
    const answer = await handler.fetch(new Request("http://localhost/mcp", { method, headers: list, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
  return { ...served, painted, declared };
}
