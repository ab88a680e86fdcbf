import * as z from "zod";

export const DEFAULT_PAGE_LIMIT = 50;
export const MAX_PAGE_LIMIT = 200;

/** The query parameters of all routes that return lists. */
export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_LIMIT).default(DEFAULT_PAGE_LIMIT),
  cursor: z.string().max(500).optional(),
});
export type PageQuery = z.output<typeof pageQuerySchema>;

/** Creates the schema of one page of a list. `nextCursor` is null on the last page. */
export const pageSchema = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({ data: z.array(item), nextCursor: z.string().nullable() });

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
}
