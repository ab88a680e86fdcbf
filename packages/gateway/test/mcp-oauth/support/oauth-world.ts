import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createEgressGuard } from "@yagate/egress";
import { newId } from "@yagate/lib/ids/ids";
import { type ToolSourceOAuth, toolSourceOAuthSchema } from "@yagate/protocol";
import type { Store, ToolSourceRow } from "@yagate/store/port";
import { createChangeRecorder, OPERATOR } from "@yagate/store/tables/change-recorder";
import { expect, onTestFinished } from "vitest";
import {
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from "../../../../../test/services/authorization-server.ts";
import { placeMigratedJournal } from "../../../../../test/services/migrated-stores.ts";
import {
  type ProtectedMcpServerOptions,
  startProtectedMcpServer,
} from "../../../../../test/services/protected-mcp-server.ts";
import { parseMasterKeys } from "../../../../secrets/src/keyring.ts";
import { createSealer } from "../../../../secrets/src/seal.ts";
import { createWorkspaceSecrets } from "../../../../secrets/src/workspace-secrets.ts";
import { masterKeyOf } from "../../../../secrets/test/support.ts";
import { openSqliteStore } from "../../../../store/src/sqlite.ts";
import { makeTemporaryDirectory } from "../../../../store/test/support/temporary-directory.ts";
import { backupDataDirectory } from "../../../src/backup.ts";
import { createAccessTokens } from "../../../src/mcp-oauth/access-tokens.ts";
import { createOAuthReach, type OAuthSource } from "../../../src/mcp-oauth/oauth-source.ts";
import { createSignIns } from "../../../src/mcp-oauth/sign-ins.ts";
import { createStoredGrants } from "../../../src/mcp-oauth/stored-grants.ts";

const SOURCE_ID = "src_1";
export const BASE_URL = "http://127.0.0.1:9";

async function openStore(place: (dataDir: string) => Promise<unknown> = placeMigratedJournal) {
  const directory = await makeTemporaryDirectory();
  await place(directory.path);
  const store = await openSqliteStore({ dataDir: directory.path });
  onTestFinished(async () => {
    await store.close();
    await directory.remove();
  });
  return { store, dataDir: directory.path };
}

const rowOf = (url: string): ToolSourceRow => ({
  ...{ id: SOURCE_ID, workspaceId: "ws_a", name: "tickets", kind: "handler", revision: 1 },
  settings: {
    ...{ url, signingSecret: "default", kind: "handler", include: null, exclude: [] },
    ...{ defaults: {}, overrides: {}, onChange: "hold", syncIntervalSeconds: 900 },
  },
  ...{ status: "ready", statusAt: 0, reason: null, generation: 0, createdAt: 0, updatedAt: 0 },
  ...{ nextSyncAt: 0, syncFailures: 0, skippedTools: [], syncedAt: null, reads: 0, storedRead: 0 },
});

/** A store, an authorization server, an MCP server, and as many replicas of a gateway as a test wants. */
export async function startOAuthWorld(
  options: {
    readonly authorization?: AuthorizationServerOptions;
    readonly mcp?: ProtectedMcpServerOptions;
    readonly oauth?: Partial<ToolSourceOAuth>;
    readonly masterKeys?: string;
  } = {},
) {
  const { store, dataDir } = await openStore();
  const authorization = await startAuthorizationServer(options.authorization);
  const mcp = await startProtectedMcpServer(authorization, options.mcp);
  const guards = {
    written: createEgressGuard({ allowCidrs: ["127.0.0.0/8"], ports: "any" }),
    named: createEgressGuard(),
  };
  onTestFinished(async () => {
    await Promise.all([guards.written.close(), guards.named.close()]);
  });
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const masterKeys = options.masterKeys ?? masterKeyOf("k1");
  const oauth = toolSourceOAuthSchema.parse({
    ...{ issuer: authorization.issuer, clientId: "registered" },
    ...options.oauth,
  });
  const source: OAuthSource = { workspaceId: "ws_a", sourceId: SOURCE_ID, url: mcp.url, oauth };
  await store.toolSources.create(rowOf(mcp.url), 9);
  const failures: unknown[] = [];

  /** A process of the gateway: it shares the store, and nothing else, with the others. */
  function replica(keys = masterKeys, baseUrl: () => Promise<string | undefined> = async () => BASE_URL, its = store) {
    const sealer = createSealer(parseMasterKeys(keys));
    const grants = createStoredGrants({ store: its.oauthGrants, sealer, now });
    const secrets = createWorkspaceSecrets({ store: its.workspaceSecrets, sealer, now });
    const fetchOf = () => guards.written.fetch;
    const reach = createOAuthReach({ fetchOf, publicFetch: guards.named.fetch, secrets, now });
    return {
      ...{ grants, secrets, sealer },
      tokens: createAccessTokens({
        ...{
          store: its.oauthGrants,
          grants,
          reach,
          now,
          newRenewalId: () => crypto.randomUUID(),
        },
      }),
      signIns: createSignIns({
        ...{ store: its.oauthSignIns, grants, reach, sealer, now, baseUrl },
        onFailure: (error) => failures.push(error),
      }),
    };
  }

  const { signal } = new AbortController();
  const recorder = createChangeRecorder(OPERATOR, { now, newId });

  /** Brings the issuer's response to a gateway, like a browser. */
  async function receive(callback: URL, { signIns }: ReturnType<typeof replica>, sessionId?: string) {
    const of = (name: string) => callback.searchParams.get(name) ?? undefined;
    return signIns.receive(
      of("state") ?? "",
      { code: of("code"), error: of("error"), iss: of("iss") },
      { sessionId, signal },
    );
  }

  /** Signs in like a person with a browser and a terminal. */
  async function signIn(gateway: ReturnType<typeof replica>) {
    const { authorizationUrl } = await gateway.signIns.start(source, { keyId: null }, signal);
    const outcome = await receive(await authorization.consent(authorizationUrl), gateway);
    if (outcome.kind !== "code")
      throw new Error(`expected a code, the sign-in ${outcome.kind}`, { cause: failures[0] });
    const { code } = outcome;
    await gateway.signIns.confirm({ ...source, name: "tickets" }, { keyId: null, code, recorder });
  }

  return {
    /** Copies the store while it is open, and opens the copy. */
    async copyStore(): Promise<Store> {
      const copied = await openStore((folder) => backupDataDirectory({ dataDir, masterKeys }, folder));
      return copied.store;
    },
    ...{ store, authorization, mcp, source, clock, failures, replica, receive, signIn, recorder, signal },
    /** Expects that no file of the store, no audit entry and no error reveals a token, a code or a client. */
    async expectNoLeak(texts: readonly unknown[]) {
      const { secrets } = authorization;
      expect(secrets.length).toBeGreaterThan(0);
      const audit = await store.audit.list({ workspaceId: "ws_a" }, { limit: 50 });
      const files = await readdir(dataDir);
      const stored = await Promise.all(files.map((file) => readFile(join(dataDir, file), "latin1")));
      expect(stored.some((content) => content.includes(source.oauth.issuer))).toBe(true);
      const seen = JSON.stringify([
        audit,
        stored,
        texts.map((text) => (text instanceof Error ? describe(text) : text)),
      ]);
      for (const secret of secrets) expect(seen).not.toContain(secret);
    },
  };
}

/** Everything that a log could show about an error. */
function describe(error: Error): unknown {
  const cause = error.cause instanceof Error ? describe(error.cause) : error.cause;
  return { ...error, name: error.name, message: error.message, stack: error.stack, cause };
}
