/** The possible maximum ages of results. */
export const RECENCIES = ["day", "week", "month", "year", "any"] as const;

/** The maximum age of a result. */
export type Recency = (typeof RECENCIES)[number];

const DAYS: Readonly<Record<Exclude<Recency, "any">, number>> = { day: 1, week: 7, month: 31, year: 366 };

/** Returns the first day within the maximum age; `undefined` if there is no limit. @param now - ms since the epoch. */
export function firstDayOf(recency: Recency, now: number): string | undefined {
  if (recency === "any") return undefined;
  return new Date(now - DAYS[recency] * 86_400_000).toISOString().slice(0, 10);
}

/** Returns whether a date is between two days, inclusive; `undefined` without a date. */
export function isWithinDays(
  publishedAt: string | undefined,
  { publishedAfter, publishedBefore }: { readonly publishedAfter?: string; readonly publishedBefore?: string },
): boolean | undefined {
  if (publishedAfter === undefined && publishedBefore === undefined) return true;
  const day = publishedAt?.slice(0, 10);
  if (day === undefined) return undefined;
  return day >= (publishedAfter?.slice(0, 10) ?? day) && day <= (publishedBefore?.slice(0, 10) ?? day);
}
