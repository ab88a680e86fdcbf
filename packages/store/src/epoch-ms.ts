/** A time in ms since the Unix epoch. The store keeps all times in this form. */
export type EpochMs = number;
