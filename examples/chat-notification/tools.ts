import { defineTool } from "@yagate/handler";
import { z } from "zod";
import type { createChatWebhook } from "./chat-webhook.ts";

export const notifyChannel = {
  name: "notify_channel",
  description: "Post a message to a channel of the team's chat.",
  parameters: z.object({
    channel: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,79}$/)
      .describe("the channel's name without #, such as orders"),
    text: z.string().min(1).max(3_000).describe("the message"),
  }),
};

export function createNotificationTools(chat: ReturnType<typeof createChatWebhook>) {
  return [
    defineTool({
      ...notifyChannel,
      async execute({ channel, text }, { signal }) {
        await chat.post({ channel, text }, signal);
        return { posted: true, channel };
      },
    }),
  ];
}
