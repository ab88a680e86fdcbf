import { newId } from "@yagate/lib/ids/ids";
import type { Store } from "@yagate/store/port";
import { credentialWarnings } from "@yagate/tool-definitions/checks/credential-warnings";
import { openApiReader } from "@yagate/tool-definitions/openapi/import-openapi";
import { API_TEMPLATES } from "@yagate/tool-definitions/templates/api-templates";
import type { Route } from "../http/route.ts";
import { toolTemplateRoutes } from "../http/routes/tool-templates.ts";
import { toolkitRoutes } from "../http/routes/toolkits.ts";
import { toolRoutes } from "../http/routes/tools.ts";
import { createSoleTools } from "../workspace-tools/sole-tool.ts";
import { createToolCheck } from "../workspace-tools/tool-check.ts";
import { createToolInstaller } from "../workspace-tools/tool-installer.ts";
import { createToolLifecycle } from "../workspace-tools/tool-lifecycle.ts";
import { createToolPreview } from "../workspace-tools/tool-preview.ts";
import { createToolTester } from "../workspace-tools/tool-tester.ts";
import { createToolWriter } from "../workspace-tools/tool-writer.ts";
import type { ToolkitWarnings } from "../workspace-tools/with-warnings.ts";
import type { ComposedAgents } from "./compose-agents.ts";
import type { ComposedTools } from "./compose-tools.ts";
import type { GatewayContext } from "./gateway-context.ts";

/** Creates the routes of workspace tools, toolkits and templates. */
export function workspaceToolsApi(
  { now }: Pick<GatewayContext, "now">,
  parts: {
    readonly store: Pick<Store, "tools" | "toolkits" | "agents">;
    readonly tools: Pick<ComposedTools, "createToolset" | "loadAgent" | "argumentValidator">;
    readonly agents: Pick<ComposedAgents, "checkOptionsOf">;
  },
): readonly Route[] {
  const { store } = parts;
  const { checkOptionsOf } = parts.agents;
  const { createToolset, loadAgent, argumentValidator } = parts.tools;
  const { tools, toolkits, agents } = store;
  const newToolId = () => newId("tool");
  const newToolkitId = () => newId("toolkit");
  const check = createToolCheck(checkOptionsOf);
  const makeTool = createSoleTools({ createToolset, now, newId });
  const writer = createToolWriter({ tools, toolkits, check, now, newToolId });
  const prepareTest = createToolTester({ makeTool, argumentValidator, now, newId });
  const lifecycle = createToolLifecycle({ tools, prepareTest, check, now });
  const warningsOf: ToolkitWarnings = async (workspaceId, credential, expected) => {
    if (credential === null) return [];
    const { findSecret } = await checkOptionsOf(workspaceId);
    return credentialWarnings(credential, await findSecret(credential), expected);
  };
  const installer = createToolInstaller({
    ...{ tools, toolkits, writer, templates: API_TEMPLATES, openApi: openApiReader },
    ...{ now, newToolkitId, warningsOf },
  });
  const preview = createToolPreview({ tools, agents, loadAgent, makeTool, check, argumentValidator, newId });
  return [
    ...toolRoutes({ tools, writer, lifecycle, installer, preview, now }),
    ...toolkitRoutes({ toolkits, now, newToolkitId, warningsOf }),
    ...toolTemplateRoutes({ templates: API_TEMPLATES, installer }),
  ];
}
