import { receivedEventSchema, textDeltaSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { startApp } from "./support/app.ts";
import { type EnumPosition, enumPositions } from "./support/enumerations.ts";

const app = await startApp();
afterAll(() => app.stop());

const { routes } = app.composed;
const ofResponses = routes.flatMap(({ name, response }) => (response === null ? [] : enumPositions(response, name)));
const ofEvents = enumPositions(receivedEventSchema, "event");
const pathsOf = (positions: readonly EnumPosition[]) => positions.map(({ path }) => path);

describe("the enumerations of responses and events", () => {
  it("accept values that only a newer gateway knows", () => {
    expect([...ofResponses, ...ofEvents].filter(({ isOpen }) => !isOpen)).toEqual([]);
  });

  it("are all looked at", () => {
    expect(pathsOf(ofResponses)).toEqual(
      expect.arrayContaining([
        "getExecution.status",
        "getExecution.stopReason",
        "getExecution.input[].role",
        "getAgent.policy.approval",
        "getAgent.policy.toolKinds[]",
        "getAgent.tools[].builtin",
        "getAgent.tools[].rest.warnings[].severity",
        "listApiKeys.data[].scopes[]",
        "getToolCall.attempts[].outcome",
        "getToolCall.approval.status",
        "listSecrets.data[].auth.type",
        "getReceipt.format",
        "listEndpoints.data[].circuit.state",
      ]),
    );
    expect(pathsOf(ofEvents)).toEqual(
      expect.arrayContaining(["event.type", "event.finishReason", "event.error.outcome", "event.hostedCalls[].status"]),
    );
  });

  it("tell a text delta by its type, which clients know before they parse it", () => {
    expect(pathsOf(enumPositions(textDeltaSchema, "delta"))).toEqual(["delta.type"]);
  });
});

describe("the enumerations of requests", () => {
  const ofRequests = routes.flatMap(({ name, body, rawBody, query }) =>
    [body, rawBody, query].flatMap((schema) => (schema === undefined ? [] : enumPositions(schema, name))),
  );

  it("refuse values that they do not know", () => {
    expect(ofRequests.filter(({ isOpen }) => isOpen)).toEqual([]);
    expect(pathsOf(ofRequests)).toEqual(
      expect.arrayContaining([
        "createAgent.policy.approval",
        "createAgent.tools[].sideEffect",
        "createApiKey.scopes[]",
        "putSecret.auth.type",
        "executeAgent.toolChoice",
      ]),
    );
  });

  it.each([
    ["createAgent", { name: "a", model: "scripted/turns", policy: { approval: "sometimes" } }, "policy.approval"],
    ["createApiKey", { name: "a", scopes: ["everything"] }, "scopes[0]"],
  ])("are INVALID_REQUEST over HTTP: %s", async (name, body, path) => {
    const answer = await app.call(name, { body });
    expect(answer).toMatchObject({ status: 422, body: { code: "INVALID_REQUEST", errors: [{ path }] } });
  });
});

it("are documented with their known values, and as open", async () => {
  const { body } = await app.call("getOpenApiDocument");
  expect(body).toMatchObject({
    components: {
      schemas: {
        Execution: {
          properties: {
            status: { anyOf: [{ enum: expect.arrayContaining(["queued", "completed"]) }, { type: "string" }] },
          },
        },
        CreateApiKey: { properties: { scopes: { items: { enum: expect.arrayContaining(["admin"]) } } } },
      },
    },
  });
});
