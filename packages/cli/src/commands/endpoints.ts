import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const SCOPES = ["operations"];

export const endpoints: CommandSpec = {
  name: "endpoints",
  summary: "List the handler URLs that calls were sent to, and enable disabled ones",
  group: GROUPS.workspace,
  examples: ["yagate endpoints list", "yagate endpoints enable ep_01jd3v0c8me9kxt3f6r2p5q7sa"],
  scopes: SCOPES,
  page: "endpoints",
  commands: [
    {
      name: "list",
      summary: "List endpoints with their status, their circuit breaker and their traffic",
      examples: ["yagate endpoints list", "yagate endpoints list --json"],
      notes: ["The circuit breaker and the traffic are those of the replica that responds."],
      scopes: SCOPES,
      output: { schema: "EndpointList" },
      run: async ({ open }) => (await import("../endpoints/list.ts")).listEndpoints(await open()),
    },
    {
      name: "enable",
      summary: "Enable an endpoint that was disabled because it responded with 410 Gone",
      arguments: [{ name: "<endpoint>", text: "ep_…, or its URL" }],
      examples: [
        "yagate endpoints enable ep_01jd3v0c8me9kxt3f6r2p5q7sa",
        "yagate endpoints enable https://orders.example.com/tools",
      ],
      notes: ["The command also closes the circuit breaker of the endpoint."],
      scopes: SCOPES,
      output: { schema: "Endpoint" },
      run: async ({ args: [endpoint = ""], open }) =>
        (await import("../endpoints/enable.ts")).enableEndpoint(await open(), endpoint),
    },
  ],
};
