import * as z from "zod";
import { executionInputSchema } from "./execution.ts";
import { jsonObjectSchema } from "./json.ts";
import { executionRoutingSchema } from "./routing.ts";

/** The body of `POST /v1/agents/:id/route`: the fields of an execution's request that decide about its routes. */
export const routeRequestSchema = z
  .strictObject({
    input: executionInputSchema,
    routing: executionRoutingSchema.optional(),
    toolChoice: z.enum(["auto", "required", "forbidden"]).optional(),
    metadata: jsonObjectSchema.optional(),
  })
  .meta({ id: "RouteRequest" });
export type RouteRequest = z.input<typeof routeRequestSchema>;
