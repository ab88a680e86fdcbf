/**
 * Returns a name that is not in use: the given one, or else the given one with `_2`, `_3` and so on at its end.
 *
 * @param maxLength - maximum length of the result in characters. A name that is cut does not end with `_`, `.` or `-`
 *   before its number.
 */
export function unusedName(name: string, taken: ReadonlySet<string>, maxLength: number): string {
  const base = cutName(name, maxLength);
  let unused = base;
  for (let count = 2; taken.has(unused); count++) {
    const end = `_${count}`;
    unused = `${cutName(base, maxLength - end.length)}${end}`;
  }
  return unused;
}

function cutName(name: string, maxLength: number): string {
  return name.length <= maxLength ? name : name.slice(0, maxLength).replace(/[_.-]+$/, "");
}
