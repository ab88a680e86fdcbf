/** What a vector is carried over to: another secret, another call, another moment. */
export interface World {
  /** The handler's secret. */
  readonly secret: string;
  /** One that it accepts too, where there is one. */
  readonly previousSecret?: string | undefined;
  /** One that it doesn't hold. */
  readonly foreignSecret: string;
  /** A genuine call of this moment, by the names of its fields in their order. */
  readonly call: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
  readonly toleranceSeconds: number;
  /** How far a timestamp is kept from the tolerance's edge: two clocks never agree. 0 where they do. */
  readonly marginSeconds: number;
}
