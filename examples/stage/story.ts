import type { AgentDefinition, CreateToolSource, ExecuteRequest } from "@yagate/client";

/** The frameworks in which every story mounts its tools, by the names of the files. */
export const FRAMEWORKS = ["express", "fastify", "hono"] as const;
export type Framework = (typeof FRAMEWORKS)[number];

/** What a story's service needs, such as its database or the mail server to which it sends. */
export interface Surroundings {
  /** The service's environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Describes what the story has changed there. */
  describe(): Promise<string> | string;
  stop(): Promise<void> | void;
}

/** An agent, a service with its tools, and a question. */
export interface Story<Around extends Surroundings = Surroundings> {
  /** The folder that contains `express.ts`, `fastify.ts` and `hono.ts`. */
  readonly folder: URL;
  readonly question: string;
  readonly caller?: ExecuteRequest["caller"];
  /**
   * The service as a tool source, if the agent refers to one.
   *
   * @param handler - the URL of the service's tools.
   */
  describeSource?(handler: string): CreateToolSource;
  /** @param handler - the URL of the service's tools. */
  describeAgent(handler: string): Omit<AgentDefinition, "model">;
  /** @param directory - an empty one, which is removed afterwards. */
  prepare(directory: string): Promise<Around> | Around;
}
