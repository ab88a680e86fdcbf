/** Starts the services, says where they are, and stays until it is killed. */
import { startPostgres } from "./postgres.ts";
import { startRedis } from "./redis.ts";

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
process.stdout.write(`${JSON.stringify({ postgres: await postgres.createDatabase(), redis: redis.url })}\n`);
