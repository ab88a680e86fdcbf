interface ScriptArguments {
  keys: string[];
  arguments: string[];
}

/** A client, cluster or sentinel of `redis` (node-redis), as far as the store needs it. */
export interface NodeRedisClient {
  evalSha(sha1: string, values: ScriptArguments): Promise<unknown>;
  eval(script: string, values: ScriptArguments): Promise<unknown>;
}

/** A `Redis` or `Cluster` of `ioredis`, as far as the store needs it. */
export interface IoRedisClient {
  evalsha(sha1: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** Any of the clients that the store takes. */
export type RedisClient = NodeRedisClient | IoRedisClient;
