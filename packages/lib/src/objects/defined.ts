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
export function defined(members: object): object {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) kept[name] = value;
  return kept;
}
