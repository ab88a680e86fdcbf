/**
 * The reason of an abort when this process stops running an execution that another process continues. A call that the
 * other process can resume must continue at its server; every other call ends.
 */
export const HANDED_OVER = new Error("another process continues the execution");
