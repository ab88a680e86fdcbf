import type { IncomingMessage, ServerResponse } from "node:http";
import { defined } from "@yagate/lib/objects/defined";
import type { ErrorCode, Scope } from "@yagate/protocol";
import type { ChangeRecorder } from "@yagate/store/port";
import type * as z from "zod";
import type { Principal } from "../secrets/principal.ts";
import type { ApiTag } from "./openapi/tags.ts";

/** Default maximum size of a request body in bytes. */
export const DEFAULT_MAX_BODY_BYTES = 1_048_576;

/** The validated request that a route handles. */
export interface RouteRequest<Body, Query> {
  readonly principal: Principal;
  /** Creates the audit log entries for changes of this request. */
  readonly recorder: ChangeRecorder;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly query: Query;
  readonly headers: IncomingMessage["headers"];
  /** Aborted when the client disconnects, its key is deleted, or the server closes. */
  readonly signal: AbortSignal;
  /** Adds fields to the log entry for this request: ids only, no content. */
  readonly note: (fields: Readonly<Record<string, string>>) => void;
  /** For routes that stream. */
  readonly response: ServerResponse;
}

/** The response of a route; `streamed` if the route has written it itself. */
export type RouteResponse =
  | {
      readonly status: number;
      /** Sent as JSON. */
      readonly body?: unknown;
      /** Sent unchanged instead of `body`; plain text unless the headers name another `Content-Type`. */
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | "streamed";

/** One route: its request, its access rules and its handler. The OpenAPI document is generated from the same fields. */
export interface Route {
  /** Unique: generated clients name their functions after it. */
  readonly name: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** With `:name` parameters. */
  readonly path: string;
  readonly summary: string;
  /** What a caller must know beyond the summary, as Markdown. */
  readonly description?: string;
  readonly tag: ApiTag;
  /** A key needs one of these scopes; null: the route needs no key. */
  readonly scopes: readonly Scope[] | null;
  /**
   * Tokens that the route accepts: an execution token if `:id` is its execution (`execution`) or one of its tool calls
   * (`toolCall`), or the token of a callback, which the route checks itself (`callback`). Default: API keys only.
   */
  readonly token?: "execution" | "toolCall" | "callback";
  /**
   * Request quotas neither refuse nor count it. Requests that running executions wait for, and those of operators, must
   * succeed even if their workspace floods the gateway.
   */
  readonly isUnmetered?: boolean;
  readonly body?: z.ZodType;
  /** The schema of a body that the route reads itself as bytes. */
  readonly rawBody?: z.ZodType;
  readonly maxBodyBytes?: number;
  readonly query?: z.ZodType;
  readonly status: number;
  /** Null: no content. */
  readonly response: z.ZodType | null;
  /** The media type of the response; default `application/json`. */
  readonly mediaType?: string;
  /** The route may read megabytes: few such requests run at once, and none without a connected client. */
  readonly isLargeRead?: boolean;
  /** The response is a `text/event-stream` of an execution's events. */
  readonly isStream?: boolean;
  /** The response can also be `application/x-ndjson`. */
  readonly isJsonLines?: boolean;
  /** The response can also be `text/plain`. */
  readonly isText?: boolean;
  /** Error codes in addition to those that follow from the other fields, such as scopes, path and body. */
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

/** Declares a route with a handler that is typed by its schemas. */
export function defineRoute<Body extends z.ZodType = z.ZodUndefined, Query extends z.ZodType = z.ZodUndefined>(
  route: RouteDefinition<Body, Query>,
): Route {
  const { body, query, handle, ...rest } = route;
  return {
    ...rest,
    ...defined({ body, query }),
    handle: (request) =>
      // Both were parsed by exactly these schemas before the handler is called.
      handle({ ...request, body: request.body as z.output<Body>, query: request.query as z.output<Query> }),
  };
}
