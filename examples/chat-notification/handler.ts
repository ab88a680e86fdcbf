import { createHandler } from "@yagate/handler";
import { createChatWebhook } from "./chat-webhook.ts";
import { createNotificationTools } from "./tools.ts";

const { CHAT_WEBHOOK_URL } = process.env;
if (CHAT_WEBHOOK_URL === undefined) throw new Error("expected CHAT_WEBHOOK_URL, the chat's incoming webhook");

export const handler = createHandler({
  secrets: process.env["YAGATE_SIGNING_SECRET"],
  tools: createNotificationTools(createChatWebhook(CHAT_WEBHOOK_URL)),
});
