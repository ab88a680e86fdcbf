/** The model for which an agent's tools are checked. */
export interface PreflightTarget {
  readonly provider: string;
  /** The provider's name for the model. */
  readonly model: string;
  /** Whether requests go to the provider's own API, not to a compatible server. */
  readonly isOwnApi: boolean;
}
