/** A selector for the children of a value. */
export type Selector =
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "index"; readonly index: number }
  | { readonly type: "slice"; readonly start?: number; readonly end?: number; readonly step: number }
  | { readonly type: "wildcard" };

/** One segment of a path. */
export interface Segment {
  /** Whether the segment applies to the value and all of its descendants. */
  readonly isDescendant: boolean;
  readonly selectors: readonly Selector[];
}

/** A path as defined in RFC 9535, but without filters, so it contains no expressions to evaluate. */
export interface JsonPath {
  readonly segments: readonly Segment[];
}
