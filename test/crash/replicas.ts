import { generateSigningSecret } from "@yagate/protocol";
import type { PostgresServer } from "../services/postgres.ts";
import { type CountingService, startCountingService } from "./counting-service.ts";
import { GatewayProcess } from "./gateway-process.ts";

export interface Replicas {
  readonly databaseUrl: string;
  readonly replicas: readonly [GatewayProcess, GatewayProcess, GatewayProcess];
  readonly service: CountingService;
  readonly agentId: string;
}

/** Starts three equal gateways on an empty database, and an agent with the tools of a counting service. */
export async function openReplicas(
  server: PostgresServer,
  { latencyMs }: { readonly latencyMs: () => number },
): Promise<Replicas> {
  const databaseUrl = await server.createDatabase();
  const signingSecret = generateSigningSecret();
  const environment = {
    DATABASE_URL: databaseUrl,
    YAGATE_SIGNING_SECRET: signingSecret,
    // The one that is left takes up what the others had, at once: more than may wait for one URL otherwise.
    YAGATE_ENDPOINT_QUEUE: "100000",
  };
  const prepare = () => GatewayProcess.prepare(environment);
  const replicas = [await prepare(), await prepare(), await prepare()] as const;
  // At once, on an empty database: one migrates it and makes the workspace, the others find both.
  await Promise.all(replicas.map((replica) => replica.start()));
  const service = await startCountingService({ secret: signingSecret, latencyMs });
  const { agents } = replicas[0].client;
  const { id } = await agents.create({ name: "Shared", model: "scripted/turns", tools: service.tools });
  return { databaseUrl, replicas, service, agentId: id };
}
