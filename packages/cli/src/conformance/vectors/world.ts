/** What vectors are adapted to: another secret, call and time. */
export interface World {
  /** The handler's secret. */
  readonly secret: string;
  /** A second secret that the handler accepts, if there is one. */
  readonly previousSecret?: string | undefined;
  /** A secret that the handler does not have. */
  readonly foreignSecret: string;
  /** A genuine call with the current time, with its fields in order. */
  readonly call: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
  readonly toleranceSeconds: number;
  /**
   * How far timestamps are kept from the limit of the tolerance, because clocks differ; 0 if both use the same clock.
   */
  readonly marginSeconds: number;
}
