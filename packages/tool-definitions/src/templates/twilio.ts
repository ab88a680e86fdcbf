import { type ApiTemplate, inBody, inPath, inQuery } from "./api-template.ts";

const account = inPath("account_sid", "The account, AC and 32 hex digits.");
const MESSAGES = "https://api.twilio.com/2010-04-01/Accounts/{account_sid}/Messages.json";

export const twilio: ApiTemplate = {
  id: "twilio",
  service: "Twilio",
  title: "Text messages",
  source: "https://www.twilio.com/docs/messaging/api/message-resource",
  credential: {
    auth: { type: "basic" },
    hosts: ["api.twilio.com"],
    setup: "The SID of an API key as user name, and its secret as password.",
  },
  settings: [
    { parameter: "account_sid", description: "The account, AC and 32 hex digits." },
    { parameter: "from", description: "The number or sender from which messages are sent." },
  ],
  tools: [
    {
      name: "twilio.send_message",
      description: "Sends a text message (SMS).",
      method: "POST",
      url: MESSAGES,
      bodyFormat: "form",
      sideEffect: "non_idempotent_write",
      warnings: [
        { severity: "info", message: "The message is queued; its status shows later whether it was delivered." },
      ],
      parameters: [
        account,
        inBody("to", "string", "Number of the recipient, such as +491701234567.", { wireName: "To", required: true }),
        inBody("from", "string", "Number of the sender.", { wireName: "From", required: true }),
        inBody("body", "string", "The text.", { wireName: "Body", required: true, schema: { maxLength: 1_600 } }),
      ],
    },
    {
      name: "twilio.list_messages",
      description: "Lists the messages of the account.",
      method: "GET",
      url: MESSAGES,
      parameters: [
        account,
        inQuery("to", "string", "Returns only messages to this number.", { wireName: "To" }),
        inQuery("page_size", "integer", "Messages per page.", {
          wireName: "PageSize",
          schema: { minimum: 1, maximum: 1_000 },
        }),
      ],
    },
  ],
};
