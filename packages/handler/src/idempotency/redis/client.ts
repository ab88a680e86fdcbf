interface ScriptArguments {
  keys: string[];
  arguments: string[];
}

/** The part of a client, cluster or sentinel from `redis` (node-redis) that the store needs. */
export interface NodeRedisClient {
  evalSha(sha1: string, values: ScriptArguments): Promise<unknown>;
  eval(script: string, values: ScriptArguments): Promise<unknown>;
}

/** The part of a `Redis` or `Cluster` from `ioredis` that the store needs. */
export interface IoRedisClient {
  evalsha(sha1: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** A client that the store accepts. */
export type RedisClient = NodeRedisClient | IoRedisClient;
