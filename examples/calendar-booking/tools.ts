import { defineTool, ToolError } from "@yagate/handler";
import { z } from "zod";
import type { CalendarFile } from "./calendar-file.ts";
import { freeSlots } from "./free-slots.ts";

const minutes = z.int().min(15).max(240);

export const findFreeSlots = {
  name: "find_free_slots",
  description: "Find the times of a day at which a meeting could start.",
  parameters: z.object({
    date: z.iso.date().describe("the day, YYYY-MM-DD"),
    minutes: minutes.default(30).describe("how long the meeting is"),
  }),
};

export const bookMeeting = {
  name: "book_meeting",
  description: "Book a meeting in the calendar.",
  parameters: z.object({
    start: z.iso.datetime({ offset: true }).describe("when it starts, RFC 3339 with its offset"),
    minutes: minutes.default(30).describe("how long it is"),
    title: z.string().min(1).max(200).describe("what it is about"),
    attendee: z.email().optional().describe("who is invited"),
  }),
};

const MINUTE_MS = 60_000;
const OFFERED_SLOTS = 3;

export function createCalendarTools(calendar: CalendarFile) {
  return [
    defineTool({
      ...findFreeSlots,
      async execute({ date, minutes }) {
        return { date, minutes, starts: freeSlots(date, minutes, await calendar.bookings()) };
      },
    }),
    defineTool({
      ...bookMeeting,
      async execute({ start, minutes, title, attendee }, { toolCallId }) {
        const startsAt = new Date(start);
        const end = new Date(startsAt.getTime() + minutes * MINUTE_MS);
        // The call's id is the event's id, so a repeated call finds its own booking.
        const obstacle = await calendar.add({ uid: toolCallId, title, start: startsAt, end, attendee });
        if (obstacle === undefined) {
          return { booked: true, reference: toolCallId, start: startsAt.toISOString(), end: end.toISOString() };
        }
        // Do not reveal whose meeting conflicts.
        throw new ToolError("SLOT_TAKEN", "there is another meeting at that time", {
          hint: "offer one of the free starts",
          details: { freeStarts: (await nextFree(calendar, startsAt, minutes)).slice(0, OFFERED_SLOTS) },
        });
      },
    }),
  ];
}

async function nextFree(calendar: CalendarFile, wanted: Date, minutes: number): Promise<readonly string[]> {
  const day = wanted.toISOString().slice(0, 10);
  const free = freeSlots(day, minutes, await calendar.bookings());
  const later = free.filter((start) => Date.parse(start) >= wanted.getTime());
  return later.length > 0 ? later : free;
}
