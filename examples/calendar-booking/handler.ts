import { createHandler } from "@yagate/handler";
import { CalendarFile } from "./calendar-file.ts";
import { createCalendarTools } from "./tools.ts";

export const handler = createHandler({
  secrets: process.env["YAGATE_SIGNING_SECRET"],
  tools: createCalendarTools(new CalendarFile(process.env["CALENDAR_FILE"] ?? "bookings.ics")),
});
