import type { CompleteToolDefinition } from "@yagate/protocol";
import { expect, it } from "vitest";
import { checkAgentSecrets } from "../../src/tools/checks/check-agent-secrets.ts";

const namesFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => `S${first + index}`);
const composed = (secrets: readonly string[]): CompleteToolDefinition => ({
  name: "post",
  description: "Posts.",
  parameters: { type: "object", properties: {} },
  implementation: { primitive: "http_post", args: { body: secrets.map((name) => `\${secrets.${name}}`) } },
});
const rest = (credential: string): CompleteToolDefinition => ({
  rest: {
    name: "get",
    description: "Gets.",
    method: "GET",
    url: "https://api.shop.example/",
    parameters: [],
    credential,
  },
});

it.each<[string, readonly string[], readonly CompleteToolDefinition[], readonly string[]]>([
  ["none", [], [], []],
  ["100", namesFrom(0, 50), [composed(namesFrom(50, 49)), rest("S99")], []],
  ["the same 100 again", namesFrom(0, 50), [composed(namesFrom(0, 100)), composed(namesFrom(0, 100)), rest("S7")], []],
  ["101", namesFrom(0, 50), [composed(namesFrom(50, 50)), rest("S100")], ["error tools[1] TOO_MANY_SECRETS"]],
  ["101 in one tool", [], [composed(namesFrom(0, 101)), rest("S500")], ["error tools[0] TOO_MANY_SECRETS"]],
])("an agent that names %s secrets is told of the tool that is too much", (_count, credentials, tools, expected) => {
  const findings = checkAgentSecrets({ credentials: [...credentials] }, tools);
  expect(findings.map(({ severity, path, code }) => `${severity} ${path} ${code}`)).toEqual(expected);
});
