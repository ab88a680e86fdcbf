import { type RestDefinition, restDefinitionSchema } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import type { z } from "zod";
import { createHandlerUrlCheck } from "../../src/checks/handler-url-check.ts";
import type { SecretMetadata } from "../../src/checks/secret-lookups.ts";
import { checkRestTool } from "../../src/rest/check-rest-tool.ts";

type RestInput = z.input<typeof restDefinitionSchema>;

/** A definition that has nothing wrong with it, changed here and there. */
export function restTool(change: Partial<RestInput> = {}): RestDefinition {
  return restDefinitionSchema.parse({
    name: "get_order",
    description: "Reads an order.",
    method: "GET",
    url: "https://api.example.com/orders/{orderId}",
    parameters: [{ name: "orderId", in: "path", type: "string" }],
    ...change,
  });
}

const SECRETS: ReadonlyMap<string, SecretMetadata> = new Map([
  ["ORDERS_KEY", { auth: { type: "bearer" }, hosts: ["api.example.com"] }],
  ["NOWHERE_KEY", { auth: { type: "header", name: "X-Key" }, hosts: [] }],
  ["HEADER_KEY", { auth: { type: "header", name: "X-Key" }, hosts: ["api.example.com"] }],
  ["QUERY_KEY", { auth: { type: "query_param", name: "appid" }, hosts: ["*.example.com"] }],
  ["ELSEWHERE_KEY", { auth: { type: "bearer" }, hosts: ["api.example.net"] }],
  ["TEXT", { auth: null, hosts: [] }],
]);

/** What a gateway whose operator opened 10.1.0.0/16 says of a definition. */
export function check(definition: RestDefinition): Promise<readonly AgentFinding[]> {
  return checkRestTool(definition, "rest", {
    urlProblem: createHandlerUrlCheck({ allowCidrs: ["10.1.0.0/16"] }),
    findSecret: async (name) => SECRETS.get(name),
  });
}

/** Place and code of each finding of a severity. */
export async function found(
  definition: RestDefinition,
  severity: AgentFinding["severity"],
): Promise<readonly (readonly [string, string])[]> {
  return (await check(definition)).filter((one) => one.severity === severity).map(({ path, code }) => [path, code]);
}
