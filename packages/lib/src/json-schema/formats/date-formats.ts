const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:z|([+-])([0-9]{2}):([0-9]{2}))$/i;
const DURATION =
  /^P(?:[0-9]+W|(?=[0-9T])(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?)$/;
const MINUTES_A_DAY = 1_440;

/** Checks a date: `full-date` in RFC 3339. */
export function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  const monthNumber = Number(month);
  return monthNumber >= 1 && monthNumber <= 12 && Number(day) >= 1 && Number(day) <= daysOf(Number(year), monthNumber);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Checks a time: `full-time` in RFC 3339. A leap second is valid only at the end of a day in UTC. */
export function isTime(text: string): boolean {
  const parts = TIME.exec(text);
  if (parts === null) return false;
  const [hour = 0, minute = 0, second = 0] = parts.slice(1, 4).map(Number);
  const [offsetHours, offsetMinutes] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
  if (hour > 23 || minute > 59 || offsetHours > 23 || offsetMinutes > 59) return false;
  if (second < 60) return true;
  const offset = (parts[4] === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  const inUtc = (hour * 60 + minute - offset + MINUTES_A_DAY) % MINUTES_A_DAY;
  return second === 60 && inUtc === MINUTES_A_DAY - 1;
}

/** Checks a date and time: `date-time` in RFC 3339. */
export function isDateTime(text: string): boolean {
  return /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** Checks a duration as in RFC 3339, appendix A. */
export function isDuration(text: string): boolean {
  return DURATION.test(text);
}
