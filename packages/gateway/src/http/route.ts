import type { IncomingMessage, ServerResponse } from "node:http";
import { defined } from "@yagate/lib/objects/defined";
import type { ErrorCode, Scope } from "@yagate/protocol";
import type { ChangeRecorder } from "@yagate/store/rows/audit-rows";
import type * as z from "zod";
import type { Principal } from "../secrets/principal.ts";
import type { ApiTag } from "./openapi/tags.ts";

/** Default bound of a request body, in bytes. */
export const DEFAULT_MAX_BODY_BYTES = 1_048_576;

/** What a route's code gets: everything is checked already. */
export interface RouteRequest<Body, Query> {
  readonly principal: Principal;
  /** Makes what the audit log keeps of the changes of this request. */
  readonly recorder: ChangeRecorder;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly query: Query;
  readonly headers: IncomingMessage["headers"];
  /** Aborted when the client has gone, its key was deleted, or the server closes. */
  readonly signal: AbortSignal;
  /** Adds to the line that the log gets of this request: ids, no content. */
  readonly note: (fields: Readonly<Record<string, string>>) => void;
  /** For routes that stream. */
  readonly response: ServerResponse;
}

/** What a route answers; `streamed`: it has written the answer itself. */
export type RouteResponse =
  | {
      readonly status: number;
      /** Sent as JSON. */
      readonly body?: unknown;
      /** Sent as it is instead: as plain text, unless the headers name another `Content-Type`. */
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | "streamed";

/** One route: how it is called, who may call it, and what it does. The OpenAPI document is made from the same fields. */
export interface Route {
  /** Unlike any other route's: generated clients name their functions after it. */
  readonly name: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** With `:name` parameters. */
  readonly path: string;
  readonly summary: string;
  /** What a caller must know beyond the summary, in Markdown. */
  readonly description?: string;
  readonly tag: ApiTag;
  /** Any one of these lets a key in; null: open to everybody. */
  readonly scopes: readonly Scope[] | null;
  /**
   * An execution's token lets in too, if `:id` is its execution, or a tool call of it; `callback`: the route itself asks
   * for the token of a call; absent: API keys only.
   */
  readonly token?: "execution" | "toolCall" | "callback";
  /**
   * Quotas on requests neither refuse nor count it: what running executions wait for, and what an operator watches, must
   * get through beside a flood of the same workspace.
   */
  readonly isUnmetered?: boolean;
  readonly body?: z.ZodType;
  /** What the body holds where the route itself reads it, byte by byte. */
  readonly rawBody?: z.ZodType;
  readonly maxBodyBytes?: number;
  readonly query?: z.ZodType;
  readonly status: number;
  /** Null: no content. */
  readonly response: z.ZodType | null;
  /** Of the answer; default `application/json`. */
  readonly mediaType?: string;
  /** It can read megabytes: few such requests are answered at once, and none whose client has left. */
  readonly isLargeRead?: boolean;
  /** It answers `text/event-stream` with an execution's events. */
  readonly isStream?: boolean;
  /** It can also answer `application/x-ndjson`. */
  readonly isJsonLines?: boolean;
  /** It can also answer `text/plain`. */
  readonly isText?: boolean;
  /** Codes of its own, beside those that follow from the fields above: of its scopes, its path, its body and so on. */
  readonly problems?: readonly ErrorCode[];
  /** Request headers that it understands, with a line on each. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly handle: (request: RouteRequest<unknown, unknown>) => Promise<RouteResponse>;
}

type RouteDefinition<Body extends z.ZodType, Query extends z.ZodType> = Omit<Route, "body" | "query" | "handle"> & {
  readonly body?: Body;
  readonly query?: Query;
  readonly handle: (request: RouteRequest<z.output<Body>, z.output<Query>>) => Promise<RouteResponse>;
};

/** Declares a route whose code sees the types of its schemas. */
export function defineRoute<Body extends z.ZodType = z.ZodUndefined, Query extends z.ZodType = z.ZodUndefined>(
  route: RouteDefinition<Body, Query>,
): Route {
  const { body, query, handle, ...rest } = route;
  return {
    ...rest,
    ...defined({ body, query }),
    handle: (request) =>
      // Both were parsed by exactly these schemas before any route's code is called.
      handle({ ...request, body: request.body as z.output<Body>, query: request.query as z.output<Query> }),
  };
}
