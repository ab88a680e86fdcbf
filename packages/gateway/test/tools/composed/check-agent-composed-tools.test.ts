import type { CompleteToolDefinition } from "@yagate/protocol";
import { createHandlerUrlCheck } from "@yagate/tool-definitions/checks/handler-url-check";
import { describe, expect, it } from "vitest";
import { checkAgentComposedTools } from "../../../src/tools/checks/check-agent-composed-tools.ts";
import { lookupOrder } from "../toolset-world.ts";
import { argumentValidator, builtins, composed, request, summarised, takes } from "./composed-world.ts";

const ARGS = "tools[0].implementation.args";

/** What is found, and which secrets were asked for. */
async function check(tools: readonly CompleteToolDefinition[], allowCidrs: readonly string[] = []) {
  const asked: (readonly string[])[] = [];
  const findings = await checkAgentComposedTools(
    tools,
    { network: true, approval: "destructive" },
    {
      handlerUrlProblem: createHandlerUrlCheck({ allowCidrs }),
      builtins,
      argumentValidator,
      async describeSecrets(names) {
        asked.push(names);
        return new Map([["API_KEY", { hosts: ["api.example.com"] }]]);
      },
    },
  );
  return { found: summarised(findings), asked };
}

const reading = { sideEffect: "read_only" } as const;

describe("the composed tools of an agent", () => {
  it("look up the secrets that they name once, and none when they name none", async () => {
    const sending = { ...request({ body: ["${secrets.API_KEY}", "${secrets.API_KEY}${secrets.NOPE}"] }), ...reading };
    const other = { ...request({ body: "${secrets.API_KEY}" }), ...reading, name: "other" };
    expect(await check([sending, other])).toEqual({
      found: [`${ARGS}.body[1]: UNKNOWN_SECRET`],
      asked: [["API_KEY", "NOPE"]],
    });
    expect(await check([{ ...request({}), ...reading }, lookupOrder])).toEqual({ found: [], asked: [] });
    expect(await check([lookupOrder])).toEqual({ found: [], asked: [] });
  });

  it("must have an allowed URL, whatever other findings it has", async () => {
    const inside = { ...request({ url: "https://192.168.0.1/${a}" }, "a?"), ...reading };
    expect((await check([inside])).found).toEqual([`${ARGS}.url: OPTIONAL_PARAMETER`, `${ARGS}.url: URL_NOT_ALLOWED`]);
    expect((await check([inside], ["192.168.0.0/16"])).found).toEqual([`${ARGS}.url: OPTIONAL_PARAMETER`]);
    const plain = { ...request({ url: "http://api.example.com/" }), ...reading };
    expect((await check([plain])).found).toEqual([`${ARGS}.url: URL_NOT_ALLOWED`]);
  });

  it("get the finding of a URL where the request is sent, not where an argument of that name is passed on", async () => {
    const sending = { ...request({ url: "https://192.168.0.1/", body: "${url}" }, "url"), ...reading };
    const outer = composed("outer", "send", { url: "https://192.168.0.2/" });
    expect((await check([outer, sending])).found).toEqual(["tools[1].implementation.args.url: URL_NOT_ALLOWED"]);
  });

  it("must declare a side effect, unless it follows from their target", async () => {
    const post = request({});
    const get = { ...request({ method: "GET" }), name: "get" };
    const hook = composed("hook", "webhook", { url: "https://x.example/" });
    const sum = composed("sum", "calculator", { expression: "1" });
    const through = composed("through", "get", {});
    const { found } = await check([post, get, hook, sum, through]);
    expect(found).toEqual([
      "tools[0].sideEffect: SIDE_EFFECT_UNDECLARED",
      "tools[2].sideEffect: SIDE_EFFECT_UNDECLARED",
    ]);
  });

  it("have a schema and a resource key like other tools, and one finding per path", async () => {
    const parameters = JSON.parse('{"type":"object","properties":{"a":{"type":"sting"},"__proto__":{}}}');
    const tool = { ...composed("sum", "calculator", { expression: "${a}" }, parameters), resourceKey: "${b}" };
    const { found } = await check([tool]);
    expect(found).toEqual([
      "tools[0].parameters.properties.__proto__: BAD_PARAMETER_NAME",
      `${ARGS}.expression: OPTIONAL_PARAMETER`,
      `${ARGS}: UNUSED_PARAMETER`,
      "tools[0].parameters.properties.a.type: INVALID_SCHEMA",
      "tools[0].resourceKey: UNKNOWN_PARAMETER",
    ]);
  });

  it("get a warning when the policy always denies them", async () => {
    const options = {
      handlerUrlProblem: createHandlerUrlCheck({}),
      ...{ builtins, argumentValidator, describeSecrets: async () => new Map() },
    };
    const tools = [composed("sum", "calculator", { expression: "${a}" }, takes("a"))];
    const policy = { network: false, approval: "destructive", toolKinds: ["handler" as const] } as const;
    const findings = await checkAgentComposedTools(tools, { ...policy, toolKinds: [...policy.toolKinds] }, options);
    expect(summarised(findings)).toEqual(["tools[0]: ALWAYS_DENIED"]);
  });
});
