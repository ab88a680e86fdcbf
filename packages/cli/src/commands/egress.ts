import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const egress: CommandSpec = {
  name: "egress",
  summary: "Explain which destinations a gateway with this environment allows",
  group: GROUPS.gateway,
  examples: ["yagate egress check https://api.example.com/v1/orders"],
  page: "egress",
  commands: [
    {
      name: "check",
      summary: "Show step by step whether a gateway would send requests to a URL",
      arguments: [{ name: "<url>", text: "URL of a handler, or of a tool's request" }],
      options: [
        {
          flags: "--allow-domain <domain>",
          text: "allow only this host, or with *.example.com all hosts under example.com; may be repeated",
          isRepeatable: true,
        },
        {
          flags: "--workspace <id>",
          text: 'use the allowlisted networks of this workspace (default: those of the workspace "default")',
        },
      ],
      examples: [
        "yagate egress check https://api.example.com/v1/orders",
        "yagate egress check https://api.example.com/ --allow-domain api.example.com --allow-domain '*.acme.com'",
        "yagate egress check http://orders.internal:8080/ --workspace ws_01k9e5t8b8fxhv3c4n5p6q7r8s",
        "YAGATE_ALLOW_CIDRS=10.0.0.0/8 yagate egress check http://orders.internal:8080/ --json",
      ],
      notes: [
        "The command does not start a gateway, read a key or open a connection. It resolves the name on this machine, whose name server may differ from the gateway's.",
        "The command applies the policy of yagate serve in this environment. It reads YAGATE_ALLOW_CIDRS, YAGATE_WORKSPACE_CIDRS, YAGATE_DENY_CIDRS, YAGATE_ALLOW_PORTS, YAGATE_PUBLIC_URL, YAGATE_HOST and YAGATE_PORT. The last three determine the gateway's own address.",
      ],
      statuses: { 0: "The URL is allowed.", 1: "The URL is blocked.", 2: "A setting or an option is invalid." },
      page: "egress",
      output: { schema: "EgressDecision" },
      run: async ({ args: [url = ""], open, options }) =>
        (await import("../egress/check.ts")).checkEgress(await open(), url, options),
    },
  ],
};
