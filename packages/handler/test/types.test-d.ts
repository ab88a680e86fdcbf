import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { HandlerToolDefinition } from "@yagate/protocol";
import type {
  ALBHandler,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  APIGatewayProxyWithCognitoAuthorizerHandler,
  LambdaFunctionURLHandler,
} from "aws-lambda";
import type { RequestHandler } from "express";
import fastify from "fastify";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { completeToolCall } from "../src/callback.ts";
import { toExpress, toolHandler } from "../src/express.ts";
import { toFastify, toolHandler as toFastifyPlugin } from "../src/fastify.ts";
import { toolHandler as toFetchHandler } from "../src/fetch.ts";
import {
  createHandler,
  defineTool,
  type Tool,
  type ToolCallback,
  type ToolContext,
  ToolError,
  verifyCall,
  type YagateError,
} from "../src/index.ts";
import { toLambda, toolHandler as toLambdaHandler } from "../src/lambda.ts";
import { toNodeListener } from "../src/node.ts";

const named = { name: "lookup_order", description: "Looks up an order." };
const secrets = process.env["YAGATE_SIGNING_SECRET"];

// Zod parameters are typed into execute, as the schema puts them out.
const zodTool = defineTool({
  ...named,
  parameters: z.object({
    orderId: z.string(),
    limit: z.int().default(10),
    at: z.iso.date().transform((text) => new Date(text)),
  }),
  execute(parameters, context) {
    expectTypeOf(parameters).toEqualTypeOf<{ orderId: string; limit: number; at: Date }>();
    expectTypeOf(context).toEqualTypeOf<ToolContext>();
    return parameters.orderId;
  },
});

// A JSON Schema says nothing to the compiler.
const jsonSchemaTool = defineTool({
  ...named,
  parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
  execute(parameters) {
    expectTypeOf(parameters).toEqualTypeOf<Record<string, unknown>>();
    // @ts-expect-error what is in there must be looked at before it is used
    return parameters["orderId"].length;
  },
});

defineTool({
  ...named,
  // @ts-expect-error parameters are an object
  parameters: z.string(),
  execute: () => null,
});

expectTypeOf(zodTool).toExtend<Tool>();
expectTypeOf(jsonSchemaTool).toExtend<Tool>();

// The call options are those of the wire contract, and an agent refers to a tool by its URL.
const optionsTool = defineTool({
  ...named,
  parameters: z.object({ orderId: z.string() }),
  sideEffect: "read_only",
  risk: "external_read",
  timeout: 5_000,
  async: false,
  usageNotes: "Rarely.",
  execute: ({ orderId }) => orderId.length,
});
expectTypeOf(optionsTool.at("https://orders.example.com/tools")).toEqualTypeOf<HandlerToolDefinition>();

defineTool({
  ...named,
  parameters: z.object({}),
  // @ts-expect-error side effects are those of the wire contract
  sideEffect: "write",
  execute: () => null,
});

// @ts-expect-error only the workspace says which calls need an approval
defineTool({ ...named, parameters: z.object({}), approval: "never", execute: () => null });

// Tools of any parameters go into one handler.
const handler = createHandler({ secrets, tools: [zodTool, jsonSchemaTool] });
expectTypeOf(handler).toExtend<(request: Request) => Promise<Response>>();

// The secret is in YAGATE_SIGNING_SECRET, or the handler is not made.
createHandler({ tools: [zodTool] });

// @ts-expect-error a misspelt option is found by the compiler
createHandler({ secrets, tools: [zodTool], audiance: "https://orders.example.com" });

expectTypeOf(toExpress(handler)).toExtend<RequestHandler>();
expectTypeOf(toNodeListener(handler)).toExtend<RequestListener>();
expectTypeOf(toNodeListener(handler)).toEqualTypeOf<(request: IncomingMessage, response: ServerResponse) => void>();

// A plugin is taken by Fastify over every protocol, whatever its options say of types.
fastify().register(toFastify(handler), { prefix: "/tools" });
fastify({ http2: true }).register(toFastify(handler), { prefix: "/tools" });
fastify({ https: {}, logger: true }).register(toFastify(handler));

// One function is a handler of every service that calls functions.
expectTypeOf(toLambda(handler)).toExtend<APIGatewayProxyHandler>();
expectTypeOf(toLambda(handler)).toExtend<APIGatewayProxyWithCognitoAuthorizerHandler>();
expectTypeOf(toLambda(handler)).toExtend<APIGatewayProxyHandlerV2>();
expectTypeOf(toLambda(handler)).toExtend<LambdaFunctionURLHandler>();
expectTypeOf(toLambda(handler)).toExtend<ALBHandler>();

const typed = {
  ...named,
  secrets: ["whsec_"],
  parameters: z.object({ orderId: z.string() }),
  execute: ({ orderId }: { orderId: string }) => orderId,
};
expectTypeOf(toolHandler(typed)).toExtend<RequestHandler>();
expectTypeOf(toFastifyPlugin(typed)).toEqualTypeOf(toFastify(handler));
expectTypeOf(toLambdaHandler(typed)).toEqualTypeOf(toLambda(handler));
expectTypeOf(toFetchHandler(typed)).toExtend<(request: Request) => Promise<Response>>();

toolHandler({
  ...named,
  secrets: () => "whsec_",
  parameters: z.object({ orderId: z.string() }),
  execute(parameters) {
    expectTypeOf(parameters).toEqualTypeOf<{ orderId: string }>();
  },
});

declare const request: IncomingMessage;
declare const fetchRequest: Request;
const call = await verifyCall({ headers: request.headers, body: new Uint8Array() }, { secrets });
await verifyCall({ headers: fetchRequest.headers, body: Buffer.from("") }, { secrets: [secrets] });
expectTypeOf(call.attempt).toEqualTypeOf<number>();
expectTypeOf(call.audience).toEqualTypeOf<string | undefined>();

const failure: unknown = new ToolError("BUSY", "come again", { retryable: true });
if (ToolError.is(failure)) expectTypeOf(failure.details).toExtend<unknown>();

// @ts-expect-error details are JSON
new ToolError("BUSY", "come again", { details: new Map() });

// A job keeps the callback that defer gave, and whoever does the job brings its result or why there is none.
declare const context: ToolContext;
expectTypeOf(context.defer()).toEqualTypeOf<ToolCallback>();
expectTypeOf(context.callback).toEqualTypeOf<ToolCallback | undefined>();
await completeToolCall(context.defer(), { result: { status: "shipped" } }, { secrets });
await completeToolCall(context.defer(), { error: new ToolError("NO", "no") }, { secrets: [secrets] });
await completeToolCall({ url: "", token: "", toolCallId: "" }, { error: { code: "NO", message: "no" } }, { secrets });

// @ts-expect-error an exception's text may be private
await completeToolCall(context.defer(), { error: new Error("no") }, { secrets });

// @ts-expect-error without the id of its call a result can't be signed
await completeToolCall({ url: "", token: "" }, { result: 1 }, { secrets });

declare const error: YagateError;
expectTypeOf(error.code).toExtend<string>();
