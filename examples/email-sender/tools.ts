import { defineTool, ToolError } from "@yagate/handler";
import { z } from "zod";
import type { createMailer } from "./mailer.ts";

/** One line, because a line break in a subject would start another header. */
const line = z.string().regex(/^[^\r\n]*$/, "expected one line");

export const sendEmail = {
  name: "send_email",
  description: "Send an email in plain text to one recipient.",
  parameters: z.object({
    to: z.email().max(254).describe("the recipient's address"),
    subject: line.min(1).max(200).describe("subject line"),
    text: z.string().min(1).max(20_000).describe("the message, as plain text"),
  }),
};

/**
 * @param allowedDomains - domains of allowed recipients, in lower case: a manipulated model must not write to other
 * addresses.
 */
export function createEmailTools(mailer: ReturnType<typeof createMailer>, allowedDomains: readonly string[]) {
  return [
    defineTool({
      ...sendEmail,
      async execute({ to, subject, text }, { toolCallId, signal }) {
        const domain = to.slice(to.lastIndexOf("@") + 1).toLowerCase();
        if (!allowedDomains.includes(domain)) {
          throw new ToolError("RECIPIENT_NOT_ALLOWED", `mail to ${domain} is not allowed`, {
            hint: `recipients may be at: ${allowedDomains.join(", ")}`,
          });
        }
        signal.throwIfAborted();
        return mailer.send({ to, subject, text, messageId: `<${toolCallId}@yagate.example>` });
      },
    }),
  ];
}
