import { DatabaseSync } from "node:sqlite";
import { createHandler } from "@yagate/handler";
import { createSqliteIdempotencyStore } from "@yagate/handler/sqlite";
import { createMailer } from "./mailer.ts";
import { createEmailTools } from "./tools.ts";

const { SMTP_URL = "smtp://127.0.0.1:25", MAIL_FROM = "desk@shop.example", MAIL_DOMAINS = "" } = process.env;

// An email cannot be recalled, so completed calls are stored across restarts.
const calls = new DatabaseSync(process.env["CALLS_DATABASE"] ?? "calls.db");

export const handler = createHandler({
  secrets: process.env["YAGATE_SIGNING_SECRET"],
  tools: createEmailTools(createMailer(SMTP_URL, MAIL_FROM), MAIL_DOMAINS.toLowerCase().split(",")),
  idempotency: createSqliteIdempotencyStore({ database: calls }),
});
