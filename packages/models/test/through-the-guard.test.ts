import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEgressGuard, type EgressGuard } from "../../egress/src/guard.ts";
import { createModels } from "../src/create-models.ts";
import { turnRequest } from "./support/turn-request.ts";

const mock = new LLMock({ port: 0 });
const open = createEgressGuard({ allowCidrs: ["127.0.0.0/8"] });
const closed = createEgressGuard();
beforeAll(() => mock.start());
afterAll(() => Promise.all([mock.stop(), open.close(), closed.close()]));

const modelsBehind = ({ fetch }: EgressGuard) =>
  createModels({ providers: { anthropic: { apiKey: "sk-ant-test", baseUrl: mock.url } }, fetch });

const model = "claude-sonnet-4-20250514";

describe("behind the egress guard", () => {
  it("takes a whole turn and a streamed one", async () => {
    mock.on({ userMessage: "Where is" }, { content: "It was shipped yesterday." });
    const deltas: string[] = [];
    const models = modelsBehind(open);
    const whole = await models.runTurn(turnRequest({ model }));
    const streamed = await models.runTurn(turnRequest({ model, onTextDelta: (text) => deltas.push(text) }));
    expect(whole.text).toBe("It was shipped yesterday.");
    const response = { id: expect.any(String), model };
    expect(streamed).toEqual({ ...whole, response });
    expect(deltas.join("")).toBe(whole.text);
  });

  it("reaches no provider in a network that is not open", async () => {
    mock.clearRequests();
    await expect(modelsBehind(closed).runTurn(turnRequest({ model }))).rejects.toMatchObject({
      name: "ModelTurnError",
      code: "MODEL_ERROR",
      isRetryable: false,
      message: expect.stringMatching(/^anthropic could not be reached \((?:URL|DNS)_BLOCKED\)/),
    });
    expect(mock.getRequests()).toEqual([]);
  });
});
