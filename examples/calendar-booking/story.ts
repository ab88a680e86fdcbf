import { join } from "node:path";
import type { Story, Surroundings } from "@yagate/example-stage/story";
import { describeAgent } from "./agent.ts";
import { CalendarFile } from "./calendar-file.ts";

interface CalendarSurroundings extends Surroundings {
  readonly calendar: CalendarFile;
}

export const story: Story<CalendarSurroundings> = {
  folder: new URL(".", import.meta.url),
  question: 'Book a meeting titled "Tasting" on 2026-12-01 at 14:00 for guest@customer.example',
  describeAgent,
  prepare(directory: string): CalendarSurroundings {
    const path = join(directory, "bookings.ics");
    const calendar = new CalendarFile(path);
    return {
      calendar,
      environment: { CALENDAR_FILE: path },
      async describe() {
        const lines = (await calendar.bookings()).map(
          ({ title, start, attendee }) =>
            `${start.toISOString()}  ${title}${attendee === undefined ? "" : `, with ${attendee}`}`,
        );
        return `The calendar has:\n${lines.join("\n")}`;
      },
      stop() {},
    };
  },
};
