import type { Socket } from "node:net";

/** A connection that is being made or used. */
export class Connection {
  readonly startedAt = performance.now();
  dnsMs: number | null = null;
  connectMs: number | null = null;
  tlsMs: number | null = null;
  socket: Socket | null = null;
  /** The address that the socket was connected to; it outlives the socket. */
  remoteAddress: string | null = null;
  /** Whether a request was written to it: later ones did not wait for DNS, TCP or TLS. */
  isUsed = false;
}

/** The place of one connection at a time; a lost one is replaced. */
export class ConnectionSlot {
  current: Connection | null = null;
}
