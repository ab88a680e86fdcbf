import type { IncomingMessage, ServerResponse } from "node:http";
import { defined } from "@yagate/lib/objects/defined";
import type { ErrorCode, Scope } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { ChangeRecorder } from "@yagate/store/port";
import type * as z from "zod";
import type { ApiTag } from "./openapi/tags.ts";

/** Default maximum size of a request body in bytes. */
export const DEFAULT_MAX_BODY_BYTES = 1_048_576;

/** The validated request that a route handles. */
export interface RouteRequest<Body, Query> {
  readonly principal: Principal;
  /** Creates the audit log entries for the changes of this request. */
  readonly recorder: ChangeRecorder;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly query: Query;
  readonly headers: IncomingMessage["headers"];
  /** The console session of the request; undefined for other credentials. */
  readonly sessionId: string | undefined;
  /** Aborted when the client disconnects, its key is deleted, or the server closes. */
  readonly signal: AbortSignal;
  /** Adds fields to the log entry of this request: only ids, no content. */
  readonly note: (fields: Readonly<Record<string, string>>) => void;
  /** Ends the other requests in flight that came with this credential. */
  readonly endRequestsOf: (credential: string) => void;
  /** The HTTP response, for routes that write it themselves. */
  readonly response: ServerResponse;
}

/** The response of a route; `streamed` if the route wrote it itself. */
export type RouteResponse =
  | {
      readonly status: number;
      /** Content that is sent as JSON. */
      readonly body?: unknown;
      /**
       * Text that is sent unchanged instead of `body`; plain text unless the headers specify another `Content-Type`.
       */
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | "streamed";

/** OAuth access tokens that a route accepts. */
export interface AccessTokens {
  /**
   * Returns the principal of a bearer token; undefined if it is not a valid access token.
   * @throws YagateError `UNAVAILABLE` if this cannot be decided at the moment.
   */
  readonly authenticate: (bearer: string) => Promise<Principal | undefined>;
  /** The URL of the metadata (RFC 9728), in which clients without a valid token find the issuers. */
  readonly metadataUrl: string;
}

/**
 * One route with its request, its access rules and its handler. The OpenAPI document is generated from the same fields.
 */
export interface Route {
  /** Unique name of the operation. Generated clients name their functions after it. */
  readonly name: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** The path, with `:name` parameters. */
  readonly path: string;
  readonly summary: string;
  /** Information for callers in addition to the summary, as Markdown. */
  readonly description?: string;
  readonly tag: ApiTag;
  /** Scopes of which a key needs one; null if the route needs no key. */
  readonly scopes: readonly Scope[] | null;
  /**
   * Tokens that the route accepts: an execution token if `:id` is its execution (`execution`) or one of its tool calls
   * (`toolCall`), or the token of a callback, which the route checks itself (`callback`). Default: API keys only.
   */
  readonly token?: "execution" | "toolCall" | "callback";
  /**
   * Whether the route recognizes the sessions of the console. A route without scopes then gets the principal of the
   * session if there is one. Default: routes of the API that need a scope do.
   */
  readonly knowsSessions?: boolean;
  /** The OAuth access tokens that the route accepts besides API keys. Default: none. */
  readonly accessTokens?: AccessTokens;
  /**
   * Whether request quotas do not apply to the route. Requests for which running executions are waiting, and requests
   * from operators, must succeed even if their workspace floods the gateway.
   */
  readonly isUnmetered?: boolean;
  readonly body?: z.ZodType;
  /** Whether the OpenAPI document lacks the route, because another protocol describes it. */
  readonly isUndocumented?: boolean;
  /** The schema of a body that the route reads itself as bytes. */
  readonly rawBody?: z.ZodType;
  readonly maxBodyBytes?: number;
  readonly query?: z.ZodType;
  readonly status: number;
  /** The schema of the response; null if it has no content. */
  readonly response: z.ZodType | null;
  /** The media type of the response; default `application/json`. */
  readonly mediaType?: string;
  /**
   * Whether the route may read megabytes. Only a few such requests run concurrently, and only as long as the client is
   * connected.
   */
  readonly isLargeRead?: boolean;
  /** Whether the response is a `text/event-stream`: of an execution's events, or of changes in the workspace. */
  readonly isStream?: boolean | "changes";
  /** Whether the response can also be `application/x-ndjson`. */
  readonly isJsonLines?: boolean;
  /** Whether the response can also be `text/plain`. */
  readonly isText?: boolean;
  /** Error codes in addition to those that follow from other fields, such as scopes, path and body. */
  readonly problems?: readonly ErrorCode[];
  /** Request headers that the route reads, each with a description. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly handle: (request: RouteRequest<unknown, unknown>) => Promise<RouteResponse>;
}

type RouteDefinition<Body extends z.ZodType, Query extends z.ZodType> = Omit<Route, "body" | "query" | "handle"> & {
  readonly body?: Body;
  readonly query?: Query;
  readonly handle: (request: RouteRequest<z.output<Body>, z.output<Query>>) => Promise<RouteResponse>;
};

/** Declares a route whose handler is typed by the route's schemas. */
export function defineRoute<Body extends z.ZodType = z.ZodUndefined, Query extends z.ZodType = z.ZodUndefined>(
  route: RouteDefinition<Body, Query>,
): Route {
  const { body, query, handle, ...rest } = route;
  return {
    ...rest,
    ...defined({ body, query }),
    handle: (request) =>
      // Both values are parsed by these schemas before the handler is called.
      handle({ ...request, body: request.body as z.output<Body>, query: request.query as z.output<Query> }),
  };
}
