/** Default time for which a replaced secret or key stays valid, in seconds: 24 hours. */
export const DEFAULT_SECRET_OVERLAP_SECONDS = 86_400;
export const MAX_SECRET_OVERLAP_SECONDS = 604_800;
