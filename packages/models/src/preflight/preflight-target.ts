/** For which model an agent's tools are looked at. */
export interface PreflightTarget {
  readonly provider: string;
  /** The provider's own name of it. */
  readonly model: string;
  /** The provider itself answers, not a server that speaks like it. */
  readonly isOwnApi: boolean;
}
