import { type ApiTemplate, fixedHeader, inBody, inPath, inQuery } from "./api-template.ts";

const channel = inPath("channel_id", "Id of the channel.");
const URL_OF_MESSAGES = "https://discord.com/api/v10/channels/{channel_id}/messages";
/** Discord requires a user agent of this form from every client. */
const agent = fixedHeader("User-Agent", "DiscordBot (yagate, 1)");

export const discord: ApiTemplate = {
  id: "discord",
  service: "Discord",
  title: "Messages in channels",
  source: "https://docs.discord.com/developers/resources/message",
  credential: {
    auth: { type: "header", name: "Authorization" },
    hosts: ["discord.com"],
    setup: 'The complete header: "Bot " followed by the token of a bot that is a member of the server.',
  },
  settings: [{ parameter: "channel_id", description: "Id of a channel, to restrict the tools to this channel." }],
  tools: [
    {
      name: "discord.post_message",
      description: "Posts a message to a channel.",
      method: "POST",
      url: URL_OF_MESSAGES,
      sideEffect: "non_idempotent_write",
      parameters: [
        channel,
        inBody("content", "string", "The message, in Markdown.", { required: true, schema: { maxLength: 2_000 } }),
        inBody("allowed_mentions", "object", "Mentions are plain text and notify no one.", { value: { parse: [] } }),
        agent,
      ],
    },
    {
      name: "discord.read_channel",
      description: "Reads the latest messages in a channel.",
      method: "GET",
      url: URL_OF_MESSAGES,
      parameters: [
        channel,
        inQuery("limit", "integer", "Number of messages.", { schema: { minimum: 1, maximum: 100 } }),
        inQuery("before", "string", "Id of a message: only older messages are returned."),
        agent,
      ],
    },
  ],
};
