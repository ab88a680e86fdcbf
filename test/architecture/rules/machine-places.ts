/** Parts of a path or host name; joined here so that this file does not name what it looks for. */
const PLACES: readonly string[] = [
  ["registry", "npmjs"].join("."),
  ["", "work", ""].join("/"),
  ["", "root", ""].join("/"),
  ["", "home", ""].join("/"),
];

/** Which places of one machine, or hosts of package registries, a text names. */
export function machinePlaces(text: string, ofThisMachine: readonly string[] = []): readonly string[] {
  return [...PLACES, ...ofThisMachine].filter((place) => text.includes(place));
}

/** This checkout's own folder and the registry that npm uses here. */
export function placesOfThisMachine(root: string, registry: string | undefined): readonly string[] {
  const host = registry === undefined ? [] : [new URL(registry).host];
  return [`${root}/`, ...host];
}
