import type { AgentDefinition, ExecuteRequest } from "@yagate/client";

/** The servers that every story's tools are mounted in, by the name of the file that does it. */
export const FRAMEWORKS = ["express", "fastify", "hono"] as const;
export type Framework = (typeof FRAMEWORKS)[number];

/** What stands around a story's service: its database, the mail server that it sends to. */
export interface Surroundings {
  /** The service's environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the story has changed there, in words. */
  describe(): Promise<string> | string;
  stop(): Promise<void> | void;
}

/** An agent, a service with its tools, and something to ask. */
export interface Story<Around extends Surroundings = Surroundings> {
  /** The folder that holds `express.ts`, `fastify.ts` and `hono.ts`. */
  readonly folder: URL;
  readonly question: string;
  readonly caller?: ExecuteRequest["caller"];
  /** @param handler - the URL of the service's tools. */
  describeAgent(handler: string): Omit<AgentDefinition, "model">;
  /** @param directory - an empty one, which is removed afterwards. */
  prepare(directory: string): Promise<Around> | Around;
}
