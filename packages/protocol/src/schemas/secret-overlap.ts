/** How long what was rotated out stays valid, where nothing is said, and at most. */
export const DEFAULT_SECRET_OVERLAP_SECONDS = 86_400;
export const MAX_SECRET_OVERLAP_SECONDS = 604_800;
