import { pageSchema, toolCallRecordSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { execute, expectStatus, makeAgent, problemOf } from "./support/agents.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

const parameters = { type: "object", properties: { net: { type: "number" } }, required: ["net"] };
const gross = {
  name: "gross",
  description: "Adds the tax.",
  parameters,
  implementation: { primitive: "calculator", args: { expression: "${net} * 1.19" } },
};

/** What is wrong with an agent of these tools, as `path: code`. */
async function problemsOf(...tools: readonly object[]): Promise<readonly string[]> {
  const answer = await world.call("createAgent", { body: { name: "test", model: "scripted/turns", tools } });
  const { errors = [] } = problemOf(answer);
  return errors.map(({ path, code }) => `${path}: ${code}`);
}

const requesting = (args: object, rest: object = {}) => ({
  ...{ ...gross, name: "send" },
  implementation: {
    primitive: "http_request",
    args: { method: "GET", url: "https://api.example.com/${net}", ...args },
  },
  ...rest,
});

describe("a composed tool", () => {
  it("is saved, called, and recorded like any other", async () => {
    const agent = await makeAgent(world, { tools: [gross] });
    expect(agent).toMatchObject({ tools: [gross], warnings: [] });
    const script = { turns: [{ toolCalls: [{ name: "gross", parameters: { net: 200 } }] }, { text: "done" }] };
    const execution = await execute(world, agent.id, { input: "tax?", script });
    expect(execution).toMatchObject({ status: "completed" });
    const calls = expectStatus(await world.call("listToolCalls", { params: { id: execution.id } }), 200);
    expect(pageSchema(toolCallRecordSchema).parse(calls).data).toMatchObject([
      {
        name: "gross",
        parameters: { net: 200 },
        status: "completed",
        result: { value: 238 },
      },
    ]);
  });

  it("is refused with every problem of every tool at once", async () => {
    const problems = await problemsOf(
      { ...gross, parameters: { type: "object", properties: { a: { type: "sting" } } } },
      requesting({ headers: { Host: "x", authorization: "Bearer ${secrets.NOPE}" }, body: "${gone}" }),
      { ...gross, name: "looped", implementation: { primitive: "looped", args: {} }, resourceKey: "${none}" },
      requesting({ url: "https://192.168.0.1/${net}" }, { name: "inside", dependsOn: ["nobody"] }),
    );
    for (const problem of [
      "tools[0].parameters.properties.a.type: INVALID_SCHEMA",
      "tools[0].implementation.args.expression: UNKNOWN_PLACEHOLDER",
      "tools[1].implementation.args.headers.Host: FORBIDDEN_HEADER",
      "tools[1].implementation.args.headers.authorization: UNKNOWN_SECRET",
      "tools[1].implementation.args.body: UNKNOWN_PLACEHOLDER",
      "tools[1].implementation.args.body: INVALID_ARG",
      "tools[2].implementation.primitive: DELEGATION_CYCLE",
      "tools[3].implementation.args.url: URL_NOT_ALLOWED",
      "tools[3].dependsOn[0]: UNKNOWN_TOOL",
    ]) {
      expect(problems).toContain(problem);
    }
  });

  it("is refused where a parameter can never be what the primitive takes, and warned of where it may not be", async () => {
    const calculating = (args: object, type: unknown = "number", required = ["net"]) => ({
      ...gross,
      parameters: { type: "object", properties: { net: { type } }, required },
      implementation: { primitive: "calculator", args },
    });
    const at = "tools[0].implementation.args";
    const { errors } = problemOf(
      await world.call("createAgent", {
        body: { name: "test", model: "scripted/turns", tools: [calculating({ expression: "${net}" })] },
      }),
    );
    expect(errors).toEqual([
      {
        path: `${at}.expression`,
        code: "PARAMETER_TYPE_MISMATCH",
        message:
          "expected a string for expression of calculator; net is a number, so every call would be rejected: declare net " +
          "as a string, or make it part of a longer text",
      },
    ]);
    const nullable = calculating({ expression: "${net}" }, ["string", "null"]);
    const listed = calculating({ expression: "sum(values)", values: ["${net}", 2] }, "number", []);
    expect((await makeAgent(world, { tools: [nullable, { ...listed, name: "listed" }] })).warnings).toMatchObject([
      { path: `${at}.expression`, code: "PARAMETER_MAY_NOT_FIT" },
      { path: "tools[1].implementation.args.values[0]", code: "OPTIONAL_ITEM" },
    ]);
  });

  it("may send the secrets of its own workspace, to their hosts", async () => {
    const body = { value: "sk_live_51ABCdef", hosts: ["api.example.com"] };
    expectStatus(await world.call("putSecret", { params: { name: "API_KEY" }, body }), 200);
    const at = "tools[0].implementation.args.headers.authorization";
    const sending = (name: string, url: string) =>
      requesting({ url, headers: { authorization: `Bearer \${secrets.${name}}` } });
    const sends = (name: string, url: string) => problemsOf(sending(name, url));
    expect(await sends("OTHER", "https://api.example.com/")).toContain(`${at}: UNKNOWN_SECRET`);
    expect(await sends("API_KEY", "https://other.example.com/")).toContain(`${at}: SECRET_HOST_MISMATCH`);
    const tools = [sending("API_KEY", "https://api.example.com/")];
    expect(await makeAgent(world, { tools })).toMatchObject({ tools });
  });

  it("is refused when its arguments are nested too deeply", async () => {
    const tool = JSON.stringify(requesting({ method: "POST", body: "deep" }));
    const deep = tool.replace('"deep"', "[".repeat(100) + "]".repeat(100));
    const body = `{"name":"test","model":"scripted/turns","tools":[${deep}]}`;
    expect(problemOf(await world.call("createAgent", { body }))).toMatchObject({
      status: 422,
      errors: expect.arrayContaining([
        expect.objectContaining({ path: "tools[0].implementation.args", code: "ARGS_TOO_LARGE" }),
      ]),
    });
  });
});
