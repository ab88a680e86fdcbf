import { createWildcard } from "@yagate/lib/text/wildcard";

/** Which published tools a source takes. */
export interface NamePatterns {
  /** Null: all tools. */
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
}

/** Creates a function that checks whether a source includes the tool with a given name. */
export function createNameFilter({ include, exclude }: NamePatterns): (name: string) => boolean {
  const included = include?.map(createWildcard);
  const excluded = exclude.map(createWildcard);
  return (name) => (included?.some((matches) => matches(name)) ?? true) && !excluded.some((matches) => matches(name));
}
