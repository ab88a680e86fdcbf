/** What a vector is adapted to: another secret, call and time. */
export interface World {
  /** The handler's secret. */
  readonly secret: string;
  /** A second secret that it accepts, if there is one. */
  readonly previousSecret?: string | undefined;
  /** A secret that it does not know. */
  readonly foreignSecret: string;
  /** A genuine call with the current time and its fields in order. */
  readonly call: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
  readonly toleranceSeconds: number;
  /** How far timestamps stay away from the limit of the tolerance, because clocks differ. 0 for equal clocks. */
  readonly marginSeconds: number;
}
