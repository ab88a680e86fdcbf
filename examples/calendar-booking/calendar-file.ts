import { readFile, rename, writeFile } from "node:fs/promises";
import ICAL from "ical.js";

export interface Booking {
  /** Two bookings with the same uid are the same booking. */
  readonly uid: string;
  readonly title: string;
  readonly start: Date;
  readonly end: Date;
  readonly attendee?: string | undefined;
}

/** A calendar in an iCalendar file (RFC 5545), which any calendar program can open. Times are in UTC. */
export class CalendarFile {
  readonly #path: string;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  async bookings(): Promise<readonly Booking[]> {
    return (await this.#read()).getAllSubcomponents("vevent").map(toBooking);
  }

  /**
   * Adds a booking unless it overlaps another one. Changes run one at a time, and each replaces the complete file, so
   * after a crash, the file contains either the old calendar or the new one.
   *
   * @returns the booking that conflicts; `undefined` if this one is now in the calendar.
   */
  add(booking: Booking): Promise<Booking | undefined> {
    const change = this.#lastChange.then(() => this.#add(booking));
    this.#lastChange = change.catch(() => undefined);
    return change;
  }

  async #add(booking: Booking): Promise<Booking | undefined> {
    const calendar = await this.#read();
    const others = calendar.getAllSubcomponents("vevent").map(toBooking);
    if (others.some(({ uid }) => uid === booking.uid)) return undefined;
    const obstacle = others.find(({ start, end }) => start < booking.end && booking.start < end);
    if (obstacle !== undefined) return obstacle;
    calendar.addSubcomponent(toEvent(booking));
    const draft = `${this.#path}.${process.pid}.new`;
    await writeFile(draft, calendar.toString());
    await rename(draft, this.#path);
    return undefined;
  }

  async #read(): Promise<ICAL.Component> {
    try {
      return new ICAL.Component(ICAL.parse(await readFile(this.#path, "utf8")));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      const calendar = new ICAL.Component("vcalendar");
      calendar.addPropertyWithValue("version", "2.0");
      calendar.addPropertyWithValue("prodid", "-//Yagate//calendar example//EN");
      return calendar;
    }
  }
}

function toBooking(component: ICAL.Component): Booking {
  const event = new ICAL.Event(component);
  const attendee = component.getFirstPropertyValue("attendee");
  return {
    uid: event.uid,
    title: event.summary,
    start: event.startDate.toJSDate(),
    end: event.endDate.toJSDate(),
    attendee: typeof attendee === "string" ? attendee.replace(/^mailto:/i, "") : undefined,
  };
}

function toEvent({ uid, title, start, end, attendee }: Booking): ICAL.Component {
  const component = new ICAL.Component("vevent");
  component.addPropertyWithValue("uid", uid);
  component.addPropertyWithValue("dtstamp", ICAL.Time.fromJSDate(new Date(), true));
  component.addPropertyWithValue("dtstart", ICAL.Time.fromJSDate(start, true));
  component.addPropertyWithValue("dtend", ICAL.Time.fromJSDate(end, true));
  component.addPropertyWithValue("summary", title);
  if (attendee !== undefined) component.addPropertyWithValue("attendee", `mailto:${attendee}`);
  return component;
}
