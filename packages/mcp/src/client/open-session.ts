import type { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defined } from "@yagate/lib/objects/defined";
import type { Resumption } from "@yagate/protocol";
import { ACCEPT_ALL_VALIDATOR } from "../accept-all-validator.ts";
import { createBoundedFetch, type FetchBounds } from "./bounded-fetch.ts";
import { adjustCallMessages } from "./call-messages.ts";
import type { EraVerdict, McpEndpoint } from "./port.ts";

/** A connection for one list or one call. */
export interface Session {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** Whether both sides use the revision 2026-07-28. */
  readonly isModern: boolean;
  /** Undefined if a response allows no verdict. */
  readonly verdict: EraVerdict | undefined;
  /** Ends the session at the server, if it has one, and closes the connection. It never fails. */
  close(): Promise<void>;
  /** Closes the connection, and leaves the session open at the server. It never fails. */
  detach(): Promise<void>;
}

/** Options for {@link openSession}. */
export interface SessionOptions extends FetchBounds {
  readonly endpoint: McpEndpoint;
  /** The verdict of an earlier connection; undefined: the server is asked. */
  readonly verdict?: EraVerdict | undefined;
  readonly signal: AbortSignal;
  /** Maximum time in ms for each request that connects. */
  readonly timeoutMs: number;
  /** Continues the session of an earlier connection instead of opening one. */
  readonly resumption?: Resumption | undefined;
}

type SessionBounds = FetchBounds & Pick<SessionOptions, "resumption">;
type Sdk = typeof import("@modelcontextprotocol/client");

/** The extension with which a server may respond to a call with a task. */
const TASKS = "io.modelcontextprotocol/tasks";
const CLIENT_INFO = { name: "yagate", version: "1" };
/**
 * Limits of the delay before a broken response is requested again, which the server may set, and the number of such
 * requests per session.
 */
const RESUME = { leastDelayMs: 250, mostDelayMs: 60_000, most: 100 };
const TOO_MANY_REQUESTS = 429;
/** How long the end of a session may take at the server. */
const TERMINATION_MS = 2_000;

/**
 * Connects to a server. The protocol library is loaded at the first use, because that takes 0.2 s.
 *
 * @throws the error of the library or of the endpoint's `fetch`.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const sdk = await import("@modelcontextprotocol/client");
  try {
    return await connect(sdk, options);
  } catch (error) {
    // Old servers respond to the unknown request in many ways, some of which the library does not understand.
    const isUnclear = error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.EraNegotiationFailed;
    if (!isUnclear || options.signal.aborted) throw error;
    return await connect(sdk, { ...options, verdict: { kind: "legacy" } });
  }
}

async function connect(sdk: Sdk, options: SessionOptions): Promise<Session> {
  const { endpoint, verdict: prior, signal, timeoutMs } = options;
  let isVerdictSound = true;
  const onStatus = (status: number) => {
    // The library takes 429 for a sign of an old server.
    if (status === TOO_MANY_REQUESTS) isVerdictSound = false;
    options.onStatus?.(status);
  };
  // The list and the call declare the same capabilities, because servers list different tools for different ones.
  // Questions must not keep a connection open, so they are declared only toward servers that end the call to ask them.
  // Tasks of older revisions are another protocol.
  const client = new sdk.Client(CLIENT_INFO, {
    capabilities: { elicitation: { form: {}, url: {} }, extensions: { [TASKS]: {} } },
    jsonSchemaValidator: ACCEPT_ALL_VALIDATOR,
    versionNegotiation: { mode: "auto", probe: { timeoutMs } },
    inputRequired: { autoFulfill: false },
  });
  const transport = createTransport(sdk, endpoint, { ...options, onStatus });
  declareNothingToOlderRevisions(transport);
  try {
    await client.connect(transport, { timeout: timeoutMs, signal, ...defined({ prior }) });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  adjustCallMessages(transport, client.getDiscoverResult() !== undefined);
  let isDetached = false;
  return {
    ...{ client, transport },
    isModern: client.getDiscoverResult() !== undefined,
    // A connection that continues a session asked for nothing.
    verdict: isVerdictSound && options.resumption === undefined ? verdictOf(client) : undefined,
    async close() {
      const hasEnded = isDetached || transport.sessionId === undefined;
      const ended = hasEnded ? undefined : transport.terminateSession().catch(() => undefined);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, TERMINATION_MS).unref())]);
      await client.close().catch(() => undefined);
    },
    async detach() {
      isDetached = true;
      await client.close().catch(() => undefined);
    },
  };
}

/** Servers of older revisions learn the capabilities from the request `initialize`, all others from each request. */
function declareNothingToOlderRevisions(transport: StreamableHTTPClientTransport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!Array.isArray(message) && "method" in message && message.method === "initialize") {
      return send({ ...message, params: { ...message.params, capabilities: {} } }, options);
    }
    return send(message, options);
  };
}

function createTransport(sdk: Sdk, endpoint: McpEndpoint, bounds: SessionBounds): StreamableHTTPClientTransport {
  const { sessionId, protocolVersion } = bounds.resumption ?? {};
  let resumed = 0;
  return new sdk.StreamableHTTPClientTransport(new URL(endpoint.url), {
    fetch: createBoundedFetch(endpoint, bounds),
    requestInit: { redirect: "error" },
    ...defined({ sessionId, protocolVersion }),
    onInsufficientScope: "throw",
    reconnectionScheduler(reconnect, delayMs) {
      resumed += 1;
      if (resumed > RESUME.most) {
        bounds.onStreamEnd?.(undefined);
        return;
      }
      // Node's timers fire immediately if their delay does not fit in 32 bits.
      const delay = Math.min(Math.max(delayMs, RESUME.leastDelayMs), RESUME.mostDelayMs);
      const timer = setTimeout(reconnect, delay);
      return () => clearTimeout(timer);
    },
  });
}

function verdictOf(client: Client): EraVerdict {
  const discover = client.getDiscoverResult();
  return discover === undefined ? { kind: "legacy" } : { kind: "modern", discover };
}
