/** One choice among the children of a value. */
export type Selector =
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "index"; readonly index: number }
  | { readonly type: "slice"; readonly start?: number; readonly end?: number; readonly step: number }
  | { readonly type: "wildcard" };

/** One step of a path. */
export interface Segment {
  /** The step is taken from the value and from everything below it. */
  readonly isDescendant: boolean;
  readonly selectors: readonly Selector[];
}

/** A path of RFC 9535 without filters: nothing of it is evaluated. */
export interface JsonPath {
  readonly segments: readonly Segment[];
}
