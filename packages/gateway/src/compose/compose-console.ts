import type { Store } from "@yagate/store/port";
import { isLocalOnly, servesConsole } from "../config/console-setting.ts";
import { createConsoleAccess } from "../console/console-access.ts";
import { isConsoleBuilt, readConsoleFiles } from "../console/console-files.ts";
import { createConsoleSessions } from "../console/console-sessions.ts";
import { createOwnOrigins } from "../console/own-origins.ts";
import { createApprovalPages } from "../exposed-agents/approval-pages.ts";
import { createConsolePages } from "../http/responses/console-pages.ts";
import { consoleSessionRoutes } from "../http/routes/console-session.ts";
import { packageVersion } from "../package-version.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { ComposedWebhooks } from "./compose-webhooks.ts";
import type { GatewayContext } from "./gateway-context.ts";

/** How long to wait until the gateway knows its own URL, in ms. */
const URL_WAIT_MS = 5_000;

export type ComposedConsole = ReturnType<typeof composeConsole>;

/** Creates the console; undefined if the gateway does not serve it. */
export function composeConsole(
  { config, now }: GatewayContext,
  store: Pick<Store, "consoleSessions">,
  { apiKeys, defaultWorkspaceId }: Pick<ComposedKeys, "apiKeys" | "defaultWorkspaceId">,
  { callbackAddress }: Pick<ComposedWebhooks, "callbackAddress">,
) {
  if (!servesConsole(config)) return undefined;
  // Without this setting, no one expects a console, so none is announced.
  if (config.console === "auto" && !isConsoleBuilt()) return undefined;
  const sessions = createConsoleSessions({ store: store.consoleSessions, apiKeys, defaultWorkspaceId, now });
  const access = createConsoleAccess(sessions, createOwnOrigins(isLocalOnly(config.host), config.publicUrl));
  const isDevelopment = config.development !== undefined;
  const facts = { version: packageVersion(), isDevelopment, allowsSelfApproval: config.allowSelfApproval };
  return {
    ...{ sessions, access },
    pages: createConsolePages(() => readConsoleFiles(isDevelopment)),
    routes: consoleSessionRoutes({ sessions, access, facts }),
    approvalPages: createApprovalPages(() => callbackAddress.base(now() + URL_WAIT_MS)),
  };
}
