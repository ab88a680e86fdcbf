import { executionSchema } from "@yagate/protocol";
import { expect, it } from "vitest";
import { createLogger } from "../../../telemetry/src/logger.ts";
import { calling, expectStatus, makeAgent } from "../http/support/agents.ts";
import { startHandler, workTool } from "../http/support/handler.ts";
import { linesWhile, makeDataDir } from "./support/lines-while.ts";

it("every line that concerns an execution names it, from the request that started it to its end", async () => {
  const handler = await startHandler({ status: 503 });
  let executionId = "";
  let requestId: string | null = null;
  const lines = await linesWhile(await makeDataDir(), async (api) => {
    const agent = await makeAgent(api, { tools: [workTool(handler.url)] });
    const call = { params: { id: agent.id }, headers: { prefer: "wait=30" } };
    const answer = await api.call("executeAgent", { ...call, body: calling("work") });
    executionId = executionSchema.parse(expectStatus(answer, 201)).id;
    requestId = answer.headers.get("x-request-id");
    await api.call("getExecution", { params: { id: executionId } });
    await api.call("cancelExecution", { params: { id: executionId }, key: null });
  });
  const ofExecution = lines.filter((line) => line["executionId"] === executionId);
  expect(lines.filter((line) => JSON.stringify(line).includes(executionId))).toEqual(ofExecution);
  // An answer that ends with the execution may be logged before or after its last lines.
  expect(ofExecution.filter(({ msg }) => msg !== "served")).toMatchObject([
    { msg: "model request finished", turn: 1 },
    { msg: "attempt finished", toolCallId: expect.stringMatching(/^tc_/), httpStatus: 503, code: "HANDLER_ERROR" },
    { msg: "model request finished", turn: 2 },
    { msg: "execution ended", level: 30, status: "completed", stopReason: "final", toolCalls: 1 },
    { msg: "refused", code: "UNAUTHENTICATED" },
  ]);
  expect(ofExecution.filter(({ msg }) => msg === "served")).toMatchObject([
    { level: 30, requestId, route: "/v1/agents/:id/executions", status: 201, agentId: expect.any(String) },
    { level: 30, route: "/v1/executions/:id" },
  ]);
}, 60_000);

it("a secret in what a library throws, or under a name that secrets have, is taken out", () => {
  let line = "";
  const logger = createLogger("info", {
    write(text) {
      line = text;
    },
  });
  const secrets = ["whsec_cGxhbnRlZHBsYW50ZWQ=", "yk_plantedplanted", "sk-0123456789abcdefplanted"];
  const error = new Error(`refused ${secrets.join(" ")}`, { cause: new Error("Authorization: Bearer plantedplanted") });
  logger.error({ error, headers: { cookie: "planted" }, config: { password: "planted", databaseUrl: "planted" } }, "x");
  expect(JSON.parse(line)).toMatchObject({ error: { message: "refused [redacted] [redacted] [redacted]" } });
  expect(line).not.toContain("planted");
});

it("a line shows what a terminal would hide or turn, and stays the same JSON", () => {
  let line = "";
  const logger = createLogger("info", {
    write(text) {
      line = text;
    },
  });
  const name = "shop\n{}\u001b[2K\u009b\u202e\u2066\u200b\u3164\u{e0041}\ufe0f";
  logger.info({ name }, `saved ${name}`);
  expect(line.trimEnd()).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(line)).toMatchObject({ name, msg: `saved ${name}` });
});
