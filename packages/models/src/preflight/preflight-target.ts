/** The model that an agent's tools are checked for. */
export interface PreflightTarget {
  readonly provider: string;
  /** The provider's name for it. */
  readonly model: string;
  /** The provider itself responds, not a compatible server. */
  readonly isOwnApi: boolean;
}
