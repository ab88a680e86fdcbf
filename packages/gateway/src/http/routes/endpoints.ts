import { type Endpoint, endpointSchema, type Page, type PageQuery, pageSchema } from "@yagate/protocol";
import type { EndpointRow } from "../../journal/port.ts";
import { idPageQuerySchema } from "../paging.ts";
import { defineRoute, type Route } from "../route.ts";

/** What these routes need of the dispatcher's memory of endpoints. */
export interface EndpointService {
  list(workspaceId: string, page: PageQuery): Promise<Page<EndpointRow>>;
  enable(workspaceId: string, endpointId: string): Promise<EndpointRow>;
}

export function endpointRoutes(endpoints: EndpointService): readonly Route[] {
  const tag = "endpoints";
  return [
    defineRoute({
      name: "listEndpoints",
      method: "get",
      path: "/v1/endpoints",
      summary: "List endpoints that are or were disabled because their handler said 410 Gone",
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
      summary: "Send calls to a disabled endpoint again",
      tag,
      scopes: ["operations"],
      status: 200,
      response: endpointSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: toEndpoint(await endpoints.enable(principal.workspaceId, params["id"] ?? "")),
      }),
    }),
  ];
}

function toEndpoint({ id, url, disabledAt, reason }: EndpointRow): Endpoint {
  return {
    id,
    url,
    status: disabledAt === null ? "enabled" : "disabled",
    disabledAt: disabledAt === null ? null : new Date(disabledAt).toISOString(),
    reason,
  };
}
