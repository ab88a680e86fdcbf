import { type Endpoint, endpointSchema, type Page, type PageQuery, pageSchema } from "@yagate/protocol";
import type { ChangeRecorder, EndpointRow } from "@yagate/store/port";
import { idPageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

/** An endpoint with its traffic in this process. Times are in ms since the epoch. */
interface EndpointStatus extends EndpointRow {
  readonly inFlight: number;
  readonly queued: number;
  readonly circuit: {
    readonly state: Endpoint["circuit"]["state"];
    readonly attempts: number;
    readonly failures: number;
    readonly retryAt: number | null;
  };
}

/** The part of the endpoint registry that these routes use. */
export interface EndpointService {
  list(workspaceId: string, page: PageQuery): Promise<Page<EndpointStatus>>;
  enable(workspaceId: string, endpointId: string, recorder: ChangeRecorder): Promise<EndpointStatus>;
}

export function endpointRoutes(endpoints: EndpointService): readonly Route[] {
  const tag = "endpoints";
  return [
    defineRoute({
      name: "listEndpoints",
      method: "get",
      path: "/v1/endpoints",
      summary: "List handler endpoints",
      description:
        "Lists the handler URLs that the workspace has called, with their state: disabled or enabled, circuit breaker, and calls in flight. Traffic and circuit breakers are those of the replica that handles the request.",
      tag,
      scopes: ["operations"],
      query: idPageQuerySchema,
      status: 200,
      response: pageSchema(endpointSchema),
      async handle({ principal, query }) {
        const { data, nextCursor } = await endpoints.list(principal.workspaceId, query);
        return { status: 200, body: { data: data.map(toEndpoint), nextCursor } };
      },
    }),
    defineRoute({
      name: "enableEndpoint",
      method: "post",
      path: "/v1/endpoints/:id/enable",
      summary: "Enable an endpoint",
      description:
        "Allows calls to the endpoint again and closes its circuit breaker. Use it for an endpoint that was disabled because its handler responded with 410 Gone, or whose circuit breaker is open.",
      tag,
      scopes: ["operations"],
      status: 200,
      response: endpointSchema,
      handle: async ({ principal, recorder, params }) => ({
        status: 200,
        body: toEndpoint(await endpoints.enable(principal.workspaceId, params["id"] ?? "", recorder)),
      }),
    }),
  ];
}

function toEndpoint({ id, url, disabledAt, reason, inFlight, queued, circuit }: EndpointStatus): Endpoint {
  return {
    id,
    url,
    status: disabledAt === null ? "enabled" : "disabled",
    disabledAt: toTimestampOrNull(disabledAt),
    reason,
    inFlight,
    queued,
    circuit: { ...circuit, retryAt: toTimestampOrNull(circuit.retryAt) },
  };
}

function toTimestampOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
