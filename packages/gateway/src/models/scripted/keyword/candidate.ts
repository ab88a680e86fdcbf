import type { JsonValue } from "@yagate/protocol";
import type { Span } from "./span.ts";

/** A value of the question that could be what a property asks for. */
export interface Candidate {
  readonly value: JsonValue;
  /** 1: of the right type. 2: in the right place. 3 and more: it says itself that it belongs there. */
  readonly score: number;
  /** Where it stands; a tool uses one piece of the question only once. */
  readonly span?: Span;
  /** Of several equal ones, each may be worth a call of its own. */
  readonly isRepeatable?: boolean;
  /** Speaks for the tool even if no word of the question does. */
  readonly isTelling?: boolean;
}
