const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

function dayName(at: Date, now: Date): string {
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return (at.getFullYear() === now.getFullYear() ? day : dayOfYear).format(at);
}

/**
 * A time in the browser's time zone; its title is in UTC.
 * @param props.isAlone - whether to show the day even if it is today, because no other time stands beside it.
 */
export function Clock({ at, isAlone = false }: { readonly at: string; readonly isAlone?: boolean }) {
  const date = new Date(at);
  const name = dayName(date, new Date());
  const text = isAlone || name !== "Today" ? `${name} ${time.format(date)}` : time.format(date);
  return (
    <time dateTime={at} title={`${date.toISOString().replace("T", " ").slice(0, 19)} UTC`}>
      {text}
    </time>
  );
}
