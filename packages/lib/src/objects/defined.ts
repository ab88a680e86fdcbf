/** The members of an object without those that are `undefined`. Members that may be `undefined` become optional. */
export type Defined<Members extends object> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<Members[Name], undefined>;
};

/**
 * Copies an object without the members that are `undefined`, for types whose optional members must be absent rather
 * than `undefined`.
 */
export function defined<Members extends object>(members: Members): Defined<Members>;
export function defined(members: Readonly<Record<string, unknown>>): object {
  const kept: Record<string, unknown> = {};
  // Not entries(), which creates an array for each member.
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
