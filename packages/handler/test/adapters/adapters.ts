import type { Adapter } from "./adapter.ts";
import { expressAdapters } from "./mounts/express.ts";
import { fastifyAdapters } from "./mounts/fastify.ts";
import { fetchAdapters } from "./mounts/fetch.ts";
import { honoAdapters } from "./mounts/hono.ts";
import { koaAdapters } from "./mounts/koa.ts";
import { lambdaAdapters } from "./mounts/lambda.ts";
import { nestAdapters } from "./mounts/nest.ts";
import { nodeAdapters } from "./mounts/node.ts";

/** Every form in which a handler can be reached on Node. */
export const adapters: readonly Adapter[] = [
  ...expressAdapters,
  ...fastifyAdapters,
  ...honoAdapters,
  ...koaAdapters,
  ...nestAdapters,
  ...nodeAdapters,
  ...fetchAdapters,
  ...lambdaAdapters,
];
