/** The model that an agent's tools are checked for. */
export interface PreflightTarget {
  readonly provider: string;
  /** The provider's name for the model. */
  readonly model: string;
  /** Whether the provider's own API responds, not a compatible server. */
  readonly isOwnApi: boolean;
}
