import { describe, expect, it, onTestFinished } from "vitest";
import { setUp } from "./set-up.ts";

async function start(model = "scripted/turns", storedKey?: string) {
  const desk = await setUp(model, storedKey);
  onTestFinished(() => desk.stop());
  return desk;
}

function calling(name: string, parameters: Readonly<Record<string, string | number>>) {
  return { input: "…", script: { turns: [{ toolCalls: [{ name, parameters }] }, { text: "done" }] } };
}

describe("the payment refund example", () => {
  it("refunds the story's payment", async () => {
    const { yagate, agentId } = await start("scripted/keyword");
    const execution = await yagate.agents.execute(agentId, { input: "Refund the amount 1200 of payment pay_1001" });
    expect(execution.toolCalls.map(({ name, result }) => [name, result])).toMatchObject([
      ["refund_payment", { status: 201, body: { payment: "pay_1001", amount: 1_200, left: 3_700 } }],
    ]);
  });

  it("tells the model why the provider rejected a refund", async () => {
    const { yagate, agentId } = await start();
    const execution = await yagate.agents.execute(
      agentId,
      calling("refund_payment", { payment: "pay_1002", amount: 1 }),
    );
    expect(execution.toolCalls[0]).toMatchObject({
      status: "failed",
      error: { code: "HANDLER_ERROR", details: { status: 422, body: { error: "more than is left of the payment" } } },
    });
  });

  it("never reveals a rejected key, even if the provider repeats it", async () => {
    const { yagate, agentId, paymentKey } = await start("scripted/turns", "pk_live_0123456789abcdef");
    const execution = await yagate.agents.execute(agentId, calling("find_payment", { payment: "pay_1001" }));
    const [call] = execution.toolCalls;
    expect(call?.error).toMatchObject({ code: "HANDLER_ERROR", details: { status: 401 } });
    const attempt = await yagate.attempts.get(call?.attempts[0]?.id ?? "");
    expect(JSON.stringify(attempt.response)).toContain("invalid key");
    expect(JSON.stringify([execution, attempt])).not.toContain(paymentKey);
    expect(attempt.request?.headers["authorization"]).toBe("Bearer ***PAYMENT_API_KEY***");
  });
});
