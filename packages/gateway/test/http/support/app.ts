import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeMigratedJournal } from "../../../../../test/services/migrated-stores.ts";
import type { ComposedGateway } from "../../../src/compose/compose-gateway.ts";
import { composeGateway } from "../../../src/compose/compose-gateway.ts";
import { completeConfig, type GatewayConfig } from "../../../src/config/gateway-config.ts";
import { type AppOptions, createApp } from "../../../src/http/create-app.ts";
import { createClientAddress } from "../../../src/http/requests/client-address.ts";
import { createHttpServer, type HttpServerOptions } from "../../../src/http/server.ts";
import { type ApiCaller, createApiCaller } from "./api-caller.ts";

/** The API of a gateway with real modules, some of which a test replaced. */
export interface App extends ApiCaller {
  readonly url: string;
  readonly composed: ComposedGateway;
  readonly key: string;
  /** Closes the server only. */
  close(): Promise<void>;
  stop(): Promise<void>;
}

export interface Exchange {
  readonly config?: Partial<GatewayConfig>;
  /** Opens the store in place of the one that the configuration names. */
  readonly open?: Parameters<typeof composeGateway>[1];
  readonly app?: (composed: ComposedGateway) => Partial<AppOptions>;
  readonly server?: HttpServerOptions;
}

const KEY = "yk_of_a_test_0000";

export async function startApp({ app, config, open, server: options }: Exchange = {}): Promise<App> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-app-"));
  await placeMigratedJournal(dataDir);
  const composed = await composeGateway(
    completeConfig({
      dataDir,
      apiKey: KEY,
      allowCidrs: ["127.0.0.0/8"],
      drainMs: 0,
      logLevel: "silent",
      // Tests ask faster than a tenant may; those of quotas set a plan of their own.
      plans: { standard: { requestsPerSecond: null } },
      ...config,
    }),
    open,
  );
  const { routes, authenticate, recorderOf, onKeyDeleted, logger } = composed;
  const server = createHttpServer(
    (closing) =>
      createApp({
        routes,
        authenticate,
        onKeyDeleted,
        logger,
        checkHost: () => {},
        newRequestId: () => crypto.randomUUID(),
        clientAddress: createClientAddress(0),
        recorderOf,
        closing,
        ...app?.(composed),
      }),
    options,
  );
  const { url } = await server.listen("127.0.0.1", 0);
  return {
    ...(await createApiCaller(url, KEY)),
    url,
    composed,
    key: KEY,
    close: () => server.close(),
    async stop() {
      await server.close();
      await composed.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
