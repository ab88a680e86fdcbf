import { FRAMEWORKS } from "@yagate/example-stage/story";
import { setTestStage } from "@yagate/example-stage/test-stage";
import { describe, expect, it } from "vitest";
import { story } from "./story.ts";

function notifying(channel: string, text: string) {
  const toolCalls = [{ name: "notify_channel", parameters: { channel, text } }];
  return { input: "…", script: { turns: [{ toolCalls }, { text: "done" }] } };
}

describe("the chat notification example", () => {
  it.each(FRAMEWORKS)("posts the story's message in %s", async (framework) => {
    const { yagate, agentId, surroundings } = await setTestStage(story, framework, "scripted/keyword");
    const execution = await yagate.agents.execute(agentId, { input: story.question });
    expect(execution.toolCalls.map(({ name, status }) => [name, status])).toEqual([["notify_channel", "completed"]]);
    expect(surroundings.chat.messages).toEqual([{ channel: "#orders", text: "ORD-1003 waits for its carrier" }]);
  });

  it("tries again while the chat is busy, and posts once", async () => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    surroundings.chat.beBusyFor(2);
    const execution = await yagate.agents.execute(agentId, notifying("kitchen", "closing early"));
    const codes = execution.toolCalls[0]?.attempts.map(({ errorCode }) => errorCode ?? "posted");
    expect(codes).toEqual(["CHAT_BUSY", "CHAT_BUSY", "posted"]);
    expect(surroundings.chat.messages).toEqual([{ channel: "#kitchen", text: "closing early" }]);
  });

  it("tries again when the chat can't be reached, and finally reports it", async () => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    await surroundings.chat.stop();
    const execution = await yagate.agents.execute(agentId, notifying("kitchen", "closing early"));
    expect(execution.toolCalls[0]?.error).toMatchObject({ code: "CHAT_DOWN", attempts: 4 });
  });

  it("tells the model that a channel does not exist, and does not try again", async () => {
    const { yagate, agentId } = await setTestStage(story);
    const execution = await yagate.agents.execute(agentId, notifying("nowhere", "hello"));
    expect(execution.toolCalls[0]?.error).toMatchObject({ code: "CHANNEL_UNKNOWN", attempts: 1 });
  });

  it("escapes mentions, so that no one is notified", async () => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    await yagate.agents.execute(agentId, notifying("orders", "<!channel> @here & @everyone <@U1>"));
    expect(surroundings.chat.messages[0]?.text).toBe("&lt;!channel&gt; @\u200bhere &amp; @\u200beveryone &lt;@U1&gt;");
  });

  it("never reveals the webhook's URL", async () => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    await surroundings.chat.stop();
    const execution = await yagate.agents.execute(agentId, notifying("orders", "hello"));
    expect(JSON.stringify(execution)).not.toContain("/services/");
  });
});
