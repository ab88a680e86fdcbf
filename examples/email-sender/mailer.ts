import { ToolError } from "@yagate/handler";
import { createTransport } from "nodemailer";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
}

/** @param url - `smtp://user:password@host:port`. */
export function createMailer(url: string, from: string) {
  const timeouts = { connectionTimeout: 3_000, greetingTimeout: 3_000, socketTimeout: 5_000 };
  const transport = createTransport({ url, ...timeouts }, { from });
  return {
    /** @throws ToolError that states whether the same email may be sent again. */
    async send({ to, subject, text, messageId }: Mail) {
      try {
        // As an object, because a comma in the text of an address would add recipients.
        await transport.sendMail({ to: { name: "", address: to }, subject, text, messageId });
        return { sent: true, messageId };
      } catch (error) {
        throw toToolError(error);
      }
    },
  };
}

/** The server's response decides. If the connection broke before a response, the email may have been delivered. */
function toToolError(cause: unknown): ToolError {
  const reply = fieldOf(cause, "responseCode");
  if (typeof reply === "number" && reply >= 500) {
    return new ToolError("MAIL_REFUSED", "the mail server rejected the message", { cause });
  }
  const neverConnected = fieldOf(cause, "syscall") === "connect" || fieldOf(cause, "code") === "EDNS";
  if (typeof reply === "number" || neverConnected) {
    return new ToolError("MAIL_SERVER_BUSY", "the mail server does not accept email at the moment", {
      retryable: true,
      cause,
    });
  }
  return new ToolError("DELIVERY_UNKNOWN", "the connection to the mail server broke before it had responded", {
    hint: "the message may have arrived: ask before sending it again",
    cause,
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
