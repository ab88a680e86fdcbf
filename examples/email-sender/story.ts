import { join } from "node:path";
import type { Story, Surroundings } from "@yagate/example-stage/story";
import { describeAgent } from "./agent.ts";
import { startSmtpCatcher } from "./smtp-catcher.ts";

interface MailSurroundings extends Surroundings {
  readonly smtp: Awaited<ReturnType<typeof startSmtpCatcher>>;
}

export const story: Story<MailSurroundings> = {
  folder: new URL(".", import.meta.url),
  question: 'Send an email to guest@customer.example with subject "Your table" and text "It is booked for 19:30."',
  describeAgent,
  async prepare(directory: string): Promise<MailSurroundings> {
    const smtp = await startSmtpCatcher();
    return {
      smtp,
      environment: {
        SMTP_URL: smtp.url,
        MAIL_DOMAINS: "customer.example",
        CALLS_DATABASE: join(directory, "calls.db"),
      },
      describe: () => `The mail server has:\n\n${smtp.messages.join("\n\n")}`,
      stop: smtp.stop,
    };
  },
};
