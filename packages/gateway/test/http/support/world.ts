import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createdApiKeySchema, createdWorkspaceSchema, type Scope, scopeSchema } from "@yagate/protocol";
import { placeMigratedJournal } from "../../../../../test/services/migrated-stores.ts";
import type { GatewayConfig } from "../../../src/config/gateway-config.ts";
import { createGateway } from "../../../src/gateway.ts";
import { type ApiCaller, createApiCaller } from "./api-caller.ts";

/** A gateway on a port of its own, with an empty data directory. */
export interface World extends ApiCaller {
  readonly url: string;
  readonly dataDir: string;
  /** The bootstrap key. */
  readonly key: string;
  /** Another workspace with a key that has every scope. */
  makeWorkspace(name: string): Promise<Tenant>;
  makeKey(scopes: readonly Scope[], workspaceId?: string): Promise<Key>;
  /** Stops the gateway; its data stays. */
  close(): Promise<void>;
  stop(): Promise<void>;
}

export interface Tenant {
  readonly workspaceId: string;
  readonly key: string;
}

export interface Key {
  readonly id: string;
  readonly text: string;
}

async function makeDataDirectory(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-http-"));
  await placeMigratedJournal(dataDir);
  return dataDir;
}

export async function startWorld(config: Partial<GatewayConfig> = {}): Promise<World> {
  const dataDir = config.dataDir ?? (await makeDataDirectory());
  const key = config.apiKey ?? `yk_${randomBytes(32).toString("base64url")}`;
  const gateway = createGateway({
    port: 0,
    dataDir,
    apiKey: key,
    allowCidrs: ["127.0.0.0/8"],
    drainMs: 0,
    // Tests ask faster than a tenant may; those of quotas set a plan of their own.
    plans: { standard: { requestsPerSecond: null } },
    ...config,
  });
  const { url } = await gateway.start();
  const caller = await createApiCaller(url, key);
  const { call } = caller;

  async function makeKey(scopes: readonly Scope[], workspaceId?: string): Promise<Key> {
    const { body } = await call("createApiKey", { body: { name: "test", scopes, workspaceId } });
    const created = createdApiKeySchema.parse(body);
    return { id: created.id, text: created.key };
  }

  return {
    ...caller,
    url,
    dataDir,
    key,
    makeKey,
    async makeWorkspace(name) {
      const { id } = createdWorkspaceSchema.parse((await call("createWorkspace", { body: { name } })).body);
      return { workspaceId: id, key: (await makeKey(scopeSchema.options, id)).text };
    },
    close: () => gateway.stop(),
    async stop() {
      await gateway.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
