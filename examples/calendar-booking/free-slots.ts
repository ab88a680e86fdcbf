import type { Booking } from "./calendar-file.ts";

const OPENS_AT_HOUR = 9;
const CLOSES_AT_HOUR = 17;
const MINUTE_MS = 60_000;

/** The times at which a meeting of this length could start: every 30 minutes in a day's opening hours (UTC). */
export function freeSlots(day: string, minutes: number, bookings: readonly Booking[]): readonly string[] {
  const dayStart = Date.parse(`${day}T00:00:00Z`);
  const closesAt = dayStart + CLOSES_AT_HOUR * 60 * MINUTE_MS;
  const slots: string[] = [];
  for (let start = dayStart + OPENS_AT_HOUR * 60 * MINUTE_MS; ; start += 30 * MINUTE_MS) {
    const end = start + minutes * MINUTE_MS;
    if (end > closesAt) return slots;
    const isTaken = bookings.some((booking) => booking.start.getTime() < end && start < booking.end.getTime());
    if (!isTaken) slots.push(new Date(start).toISOString());
  }
}
