import { z } from "zod";

export const storePlaceSchema = z.object({
  kind: z.enum(["node:sqlite", "pg", "redis", "ioredis"]),
  location: z.string(),
});

/** What a tool server tells its parent. */
export const toolServerEventSchema = z.discriminatedUnion("event", [
  z.object({ event: z.literal("listening"), port: z.int() }),
  z.object({ event: z.literal("arrived") }),
  z.object({ event: z.literal("ran"), toolCallId: z.string() }),
]);

export type ToolServerEvent = z.infer<typeof toolServerEventSchema>;
