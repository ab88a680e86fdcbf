/** A key of a query or form as those read it who take brackets for structure: `a[b][]` is `["a", "b", ""]`. */
export type FormKey = readonly string[];

const BRACKETS = /\[([^\]]*)\]/g;

/** @param key - decoded. */
export function parseFormKey(key: string): FormKey {
  const start = key.indexOf("[");
  if (start <= 0) return [key];
  return [key.slice(0, start), ...Array.from(key.slice(start).matchAll(BRACKETS), ([, name = ""]) => name)];
}

/** Makes the check whether a key has a part in what one of the fixed ones says: it is the same, above it or below it. */
export function createFixedKeyCheck(fixed: readonly FormKey[]): (key: FormKey) => boolean {
  const roots = fixed.map(withoutListPlaces);
  return (given) => {
    const key = withoutListPlaces(given);
    return roots.some((root) => root.every((name, index) => index >= key.length || key[index] === name));
  };
}

/** `a[]` is the next place of the list `a`, so that it says something about all of `a`. */
function withoutListPlaces(key: FormKey): FormKey {
  const place = key.indexOf("", 1);
  return place === -1 ? key : key.slice(0, place);
}
