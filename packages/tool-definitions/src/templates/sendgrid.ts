import { type ApiTemplate, inBody } from "./api-template.ts";

const address = {
  properties: { email: { type: "string", format: "email" }, name: { type: "string" } },
  required: ["email"],
};

export const sendgrid: ApiTemplate = {
  id: "sendgrid",
  service: "SendGrid",
  title: "E-mail",
  source: "https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send",
  credential: {
    auth: { type: "bearer" },
    hosts: ["api.sendgrid.com"],
    setup: "An API key (SG.…) with the permission Mail Send.",
  },
  settings: [{ parameter: "from", description: "The verified sender, as { email, name }." }],
  tools: [
    {
      name: "sendgrid.send_email",
      description: "Sends an e-mail.",
      method: "POST",
      url: "https://api.sendgrid.com/v3/mail/send",
      sideEffect: "non_idempotent_write",
      warnings: [{ severity: "info", message: "The response has no body: status 202 means that the mail is queued." }],
      parameters: [
        inBody("personalizations", "array", "Recipients: one entry for each e-mail.", {
          required: true,
          schema: {
            minItems: 1,
            items: {
              type: "object",
              properties: { to: { type: "array", minItems: 1, items: { type: "object", ...address } } },
              required: ["to"],
            },
          },
        }),
        inBody("from", "object", "The sender.", { required: true, schema: address }),
        inBody("subject", "string", "Subject line.", { required: true }),
        inBody("content", "array", "The text in one or more formats; text/plain first.", {
          required: true,
          schema: {
            minItems: 1,
            items: {
              type: "object",
              properties: { type: { enum: ["text/plain", "text/html"] }, value: { type: "string" } },
              required: ["type", "value"],
            },
          },
        }),
      ],
    },
  ],
};
