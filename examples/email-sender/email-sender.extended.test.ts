import { startService } from "@yagate/example-stage/start-service";
import { FRAMEWORKS } from "@yagate/example-stage/story";
import { setTestStage } from "@yagate/example-stage/test-stage";
import { callTool } from "@yagate/handler/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { story } from "./story.ts";

const MAIL = { to: "guest@customer.example", subject: "Your table", text: "It is booked." };

function sending(change: Partial<typeof MAIL> = {}) {
  const toolCalls = [{ name: "send_email", parameters: { ...MAIL, ...change } }];
  return { input: "…", script: { turns: [{ toolCalls }, { text: "done" }] } };
}

describe("the email sender example", () => {
  it.each(FRAMEWORKS)("sends the story's mail in %s", async (framework) => {
    const { yagate, agentId, surroundings } = await setTestStage(story, framework, "scripted/keyword");
    const execution = await yagate.agents.execute(agentId, { input: story.question });
    expect(execution.toolCalls.map(({ name, status }) => [name, status])).toEqual([["send_email", "completed"]]);
    const [message = "", ...more] = surroundings.smtp.messages;
    expect(more).toEqual([]);
    expect(message).toMatch(/^From: desk@shop\.example\r$/m);
    expect(message).toMatch(/^To: guest@customer\.example\r$/m);
    expect(message).toMatch(/^Subject: Your table\r$/m);
    expect(message).toMatch(/^Message-ID: <tc_\w+@yagate\.example>\r$/m);
    expect(message).toMatch(/\r\n\r\nIt is booked for 19:30\.\r\n$/);
  });

  it("tries again while the mail server is busy, and sends one mail", async () => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    surroundings.smtp.refuseNext(451);
    surroundings.smtp.refuseNext(452, "DATA");
    const execution = await yagate.agents.execute(agentId, sending());
    expect(execution.toolCalls[0]?.attempts.map(({ errorCode }) => errorCode ?? "sent")).toEqual([
      "MAIL_SERVER_BUSY",
      "MAIL_SERVER_BUSY",
      "sent",
    ]);
    expect(surroundings.smtp.messages).toHaveLength(1);
  });

  it.each([
    ["a mail that the server rejects permanently", {}, "MAIL_REFUSED"],
    ["a recipient in another domain", { to: "guest@elsewhere.example" }, "RECIPIENT_NOT_ALLOWED"],
    ["two recipients in one", { to: "guest@customer.example, guest@elsewhere.example" }, "INVALID_ARGUMENTS"],
    ["a subject with a header in it", { subject: "Hello\r\nBcc: guest@elsewhere.example" }, "INVALID_ARGUMENTS"],
  ])("does not send %s", async (_what, change, code) => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    if (code === "MAIL_REFUSED") surroundings.smtp.refuseNext(550);
    const execution = await yagate.agents.execute(agentId, sending(change));
    expect(execution.toolCalls[0]?.error).toMatchObject({ code });
    expect(execution.toolCalls[0]?.attempts.length).toBeLessThanOrEqual(1);
    expect(surroundings.smtp.messages).toEqual([]);
  });

  it("does not send again after the connection was lost before the server responded", async () => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    surroundings.smtp.hangUp();
    const execution = await yagate.agents.execute(agentId, sending());
    expect(execution.toolCalls[0]?.error).toMatchObject({ code: "DELIVERY_UNKNOWN", attempts: 1 });
    expect(surroundings.smtp.messages).toHaveLength(1);
  });

  it("remembers answered calls after a restart", async () => {
    const { handler, signingSecret, surroundings } = await setTestStage(story);
    const call = { secret: signingSecret, name: "send_email", parameters: MAIL, toolCallId: "tc_restart" };
    const first = await callTool(fetch, { ...call, url: handler });

    const environment = { ...surroundings.environment, YAGATE_SIGNING_SECRET: signingSecret };
    const restarted = await startService(new URL("express.ts", story.folder), environment, () => undefined);
    onTestFinished(restarted.stop);
    const second = await callTool(fetch, { ...call, url: `${restarted.url}/tools` });

    expect(first.result).toMatchObject({ sent: true });
    expect(second.result).toEqual(first.result);
    expect(surroundings.smtp.messages).toHaveLength(1);
  });
});
