import { type ApiTemplate, fixedHeader, inBody, inQuery } from "./api-template.ts";

export const slack: ApiTemplate = {
  id: "slack",
  service: "Slack",
  title: "Messages in channels",
  source: "https://docs.slack.dev/reference/methods",
  credential: {
    auth: { type: "bearer" },
    hosts: ["slack.com"],
    setup: "A bot token (xoxb-…) with the scopes chat:write, channels:read and channels:history.",
  },
  settings: [{ parameter: "channel", description: "Id of a channel, to restrict the tools to this channel." }],
  tools: [
    {
      name: "slack.post_message",
      description: "Posts a message to a channel or person.",
      method: "POST",
      url: "https://slack.com/api/chat.postMessage",
      sideEffect: "non_idempotent_write",
      warnings: [{ severity: "warning", message: 'Failures return status 200 with "ok": false.' }],
      parameters: [
        inBody("channel", "string", "Id of the channel, such as C0123456789.", { required: true }),
        inBody("text", "string", "The message, in Slack's mrkdwn.", { required: true }),
        inBody("thread_ts", "string", "Timestamp of the message to reply to."),
        fixedHeader("Content-Type", "application/json; charset=utf-8"),
      ],
    },
    {
      name: "slack.list_channels",
      description: "Lists channels in the workspace.",
      method: "GET",
      url: "https://slack.com/api/conversations.list",
      warnings: [{ severity: "warning", message: 'Failures return status 200 with "ok": false.' }],
      parameters: [
        inQuery("types", "array", "Kinds of channels.", {
          arrayFormat: "comma",
          schema: { items: { enum: ["public_channel", "private_channel", "mpim", "im"] } },
        }),
        inQuery("limit", "integer", "Channels per page.", { schema: { minimum: 1, maximum: 999 } }),
        inQuery("cursor", "string", "next_cursor from the previous page."),
      ],
    },
    {
      name: "slack.read_channel",
      description: "Reads the latest messages in a channel that the bot has joined.",
      method: "GET",
      url: "https://slack.com/api/conversations.history",
      warnings: [{ severity: "warning", message: 'Failures return status 200 with "ok": false.' }],
      parameters: [
        inQuery("channel", "string", "Id of the channel.", { required: true }),
        inQuery("limit", "integer", "Messages per page.", { schema: { minimum: 1, maximum: 999 } }),
        inQuery("cursor", "string", "next_cursor from the previous page."),
      ],
    },
  ],
};
