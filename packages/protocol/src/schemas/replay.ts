import * as z from "zod";

/** The body of `POST /v1/executions/:id/replay`. */
export const replaySchema = z
  .strictObject({
    /**
     * The first model turn that runs again, from 1 (default). Turns before it are copied from the record with the
     * outcomes of their calls.
     */
    fromTurn: z.int().min(1).optional(),
    /**
     * `recorded`: calls get their recorded outcomes, and no call is sent. `live`: calls are sent, as in a new execution.
     */
    toolMode: z.enum(["recorded", "live"]).default("recorded"),
    /** Required for a live replay whose tools may write. */
    confirm: z.literal(true).optional(),
  })
  .meta({ id: "ReplayExecution" });
export type ReplayRequest = z.input<typeof replaySchema>;
