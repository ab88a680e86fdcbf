/// <reference path="./undici-files.d.ts" />
import { Socket } from "node:net";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { strictFamily } from "@yagate/lib/hosts/address-family";
import type { buildConnector } from "undici";
import buildOpener from "undici/lib/core/connect.js";
import { isSameAddress } from "./address-policy.ts";
import { dnsBlocked } from "./blocked.ts";
import { type Authority, toPort } from "./destination.ts";
import { EgressError } from "./egress-error.ts";
import type { Gate } from "./gate.ts";
import type { CompletePolicy } from "./policy.ts";
import type { ResolvedAddress } from "./resolver.ts";

const MAX_ADDRESSES = 3;

/** Opens connections for the slots of clients. */
export interface Connector {
  connect(target: buildConnector.Options, slot: ConnectionSlot, callback: buildConnector.Callback): void;
  /** Closes connections that are being opened, and rejects new ones. */
  close(): void;
}

/**
 * Creates the connector, through which all sockets are opened. For each connection, it resolves the name once, checks
 * every address, and connects to exactly the checked address.
 */
export function createConnector(gate: Gate, policy: CompletePolicy): Connector {
  const { ca, limits } = policy;
  const options: buildConnector.BuildOptions = {
    timeout: limits.connectTimeoutMs,
    // Addresses are tried one at a time, because a race would try them in another order.
    autoSelectFamily: false,
    allowH2: false,
    // Sessions are not cached, because the cache would be keyed by name and not by address.
    maxCachedSessions: 0,
    // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 changes the default.
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
  };
  const openPlain = buildOpener(options);
  let openSecure: buildConnector.connector | undefined;
  const opening = new Set<Socket>();
  let isClosed = false;

  function secureOpener(): buildConnector.connector {
    openSecure ??= buildOpener(ca.length === 0 ? options : { ...options, secureContext: trustAlso(ca) });
    return openSecure;
  }

  function openStep(step: buildConnector.Options): Promise<Socket> {
    const open = step.protocol === "https:" ? secureOpener() : openPlain;
    return new Promise((resolve, reject) => {
      const pending: unknown = open(step, (error, socket) => {
        if (pending instanceof Socket) {
          opening.delete(pending);
        }
        if (error === null) {
          resolve(socket);
        } else {
          reject(error);
        }
      });
      // The types omit this return value. Without it, a connection that is being opened would briefly outlive the
      // guard.
      if (pending instanceof Socket) {
        opening.add(pending);
      }
    });
  }

  async function openTcp(authority: Authority, address: string): Promise<Socket> {
    const socket = await openStep({ protocol: "http:", hostname: address, port: String(authority.port) });
    const { remoteAddress } = socket;
    if (remoteAddress !== undefined && isSameAddress(remoteAddress, address) && !gate.isRefused(remoteAddress)) {
      return socket;
    }
    socket.destroy();
    throw remoteAddress === undefined
      ? unreachable("the connection was lost immediately after it was opened")
      : dnsBlocked(`the connection to ${address} arrived at ${remoteAddress}`);
  }

  async function openTls(authority: Authority, address: string, httpSocket: Socket): Promise<Socket> {
    const { hostname, port } = authority;
    try {
      return await openStep({
        protocol: "https:",
        hostname: address,
        port: String(port),
        httpSocket,
        // The certificate is checked against this name. An IP address cannot be a server name; in that case, the
        // certificate is checked against the address.
        ...(strictFamily(hostname) === 0 ? { servername: hostname } : {}),
      });
    } catch (error) {
      httpSocket.destroy();
      throw isNetworkFailure(error) ? unreachable("the TLS handshake was not completed", error) : untrusted(error);
    }
  }

  async function openFirst(
    authority: Authority,
    addresses: readonly ResolvedAddress[],
    connection: Connection,
  ): Promise<Socket> {
    const startedAt = performance.now();
    let failure = unreachable("the name has no address");
    for (const { address } of addresses.slice(0, MAX_ADDRESSES)) {
      if (isClosed) {
        throw closedError();
      }
      try {
        const tcp = await openTcp(authority, address);
        const connectedAt = performance.now();
        connection.connectMs = connectedAt - startedAt;
        connection.remoteAddress = address;
        if (authority.protocol === "http:") {
          return tcp;
        }
        const socket = await openTls(authority, address, tcp);
        connection.tlsMs = performance.now() - connectedAt;
        return socket;
      } catch (error) {
        failure = error instanceof EgressError ? error : unreachable("no connection was opened", error);
        // An invalid certificate ends the attempt: trying other addresses would only search for a better certificate.
        if (failure.code !== "NETWORK_ERROR") {
          break;
        }
      }
    }
    throw failure;
  }

  async function connect(target: buildConnector.Options, connection: Connection): Promise<Socket> {
    // Only `hostname` comes from the origin; `host` and `servername` would follow a Host header.
    const { protocol, hostname } = target;
    const authority = { protocol, hostname, port: toPort(protocol, target.port) };
    const addresses = await gate.resolve(authority);
    if (strictFamily(hostname) === 0) {
      connection.dnsMs = performance.now() - connection.startedAt;
    }
    const socket = await openFirst(authority, addresses, connection);
    connection.socket = socket;
    return socket;
  }

  return {
    connect(target, slot, callback) {
      const connection = new Connection();
      slot.current = connection;
      connect(target, connection).then(
        (socket) => {
          // If the socket is closed, undici reconnects immediately, in an endless loop.
          if (isClosed || socket.destroyed) {
            socket.destroy();
            callback(
              isClosed ? closedError() : unreachable("the connection was lost immediately after it was opened"),
              null,
            );
          } else {
            callback(null, socket);
            // Runs after undici's own listener, so if the response ended in this chunk, it is already complete.
            socket.on("readable", () => connection.checkReceived());
          }
        },
        (error: unknown) => callback(error instanceof Error ? error : unreachable("connecting failed"), null),
      );
    },
    close() {
      isClosed = true;
      for (const socket of opening) {
        socket.destroy();
      }
    },
  };
}

/**
 * Creates a secure context that trusts these certificates in addition to the system's. All connections share it,
 * because parsing the system's certificates takes longer than a handshake.
 */
function trustAlso(ca: readonly string[]): SecureContext {
  return createSecureContext({ ca: [...getCACertificates("default"), ...ca], minVersion: "TLSv1.2" });
}

const NETWORK_CODES: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_SOCKET",
]);

function isNetworkFailure(error: unknown): boolean {
  return error instanceof Error && "code" in error && NETWORK_CODES.has(error.code);
}

function unreachable(what: string, cause?: unknown): EgressError {
  const detail = cause instanceof Error ? `: ${cause.message}` : "";
  return new EgressError("NETWORK_ERROR", "the service could not be reached", { reason: what + detail, cause });
}

function untrusted(cause: unknown): EgressError {
  const reason = cause instanceof Error ? cause.message : "the TLS handshake failed";
  return new EgressError("TLS_ERROR", "the certificate of the service is not valid for its name", { reason, cause });
}

function closedError(): EgressError {
  return unreachable("the guard was closed");
}

/** A connection that is being opened or used. */
export class Connection {
  readonly startedAt = performance.now();
  dnsMs: number | null = null;
  connectMs: number | null = null;
  tlsMs: number | null = null;
  socket: Socket | null = null;
  /** The address that the socket is connected to. It is kept after the socket has closed. */
  remoteAddress: string | null = null;
  /** Whether a request was written to the connection. Requests after the first one did not wait for DNS, TCP or TLS. */
  isUsed = false;
  /** When the latest response ended, on both clocks, in ms; 0 while a request is in flight. */
  #idleSinceMonotonic = 0;
  #idleSinceWall = 0;
  /** The value of the socket's `bytesRead` that must not be exceeded; 0 before the first request. */
  #mostBytes = 0;
  readonly #close = (): void => {
    this.socket?.destroy();
  };
  #onExcess: () => void = this.#close;

  /**
   * How long no request has been in flight, in ms; 0 before the first one. The wall clock also counts the time for
   * which the machine slept.
   */
  get idleMs(): number {
    if (this.#idleSinceWall === 0) return 0;
    return Math.max(performance.now() - this.#idleSinceMonotonic, Date.now() - this.#idleSinceWall);
  }

  /** Allows this many more bytes to arrive, including heads and framing. If more arrive, calls `onExcess`. */
  expectBytes(count: number, onExcess: () => void): void {
    this.#idleSinceWall = 0;
    this.#mostBytes = (this.socket?.bytesRead ?? 0) + count;
    this.#onExcess = onExcess;
  }

  /** Starts the idle time, in which no more bytes are allowed: if any arrive, the connection is closed. */
  becomeIdle(): void {
    this.expectBytes(0, this.#close);
    this.#idleSinceMonotonic = performance.now();
    this.#idleSinceWall = Date.now();
  }

  /**
   * Checks the limit. Call this whenever bytes have arrived, because the parser does not report all of them: it skips
   * spaces, reason phrases and extensions of any length.
   */
  checkReceived(): void {
    if ((this.socket?.bytesRead ?? 0) <= this.#mostBytes) {
      return;
    }
    this.#mostBytes = Number.POSITIVE_INFINITY;
    this.#onExcess();
  }
}

/** Holds at most one connection. If that connection is lost, another one can take its place. */
export class ConnectionSlot {
  current: Connection | null = null;
}
