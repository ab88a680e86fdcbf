/** A moment in ms since the Unix epoch: every time that the store keeps. */
export type EpochMs = number;
