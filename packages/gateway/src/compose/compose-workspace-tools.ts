import type { NewId } from "@yagate/lib/ids/ids";
import type { Store } from "@yagate/store/port";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { openApiReader } from "@yagate/tool-definitions/openapi/import-openapi";
import { API_TEMPLATES } from "@yagate/tool-definitions/templates/api-templates";
import type { LoadAgent } from "../executions/run/loaded-agents.ts";
import type { Route } from "../http/route.ts";
import { toolTemplateRoutes } from "../http/routes/tool-templates.ts";
import { toolkitRoutes } from "../http/routes/toolkits.ts";
import { toolRoutes } from "../http/routes/tools.ts";
import { credentialWarnings } from "../tools/checks/credential-warnings.ts";
import type { Toolsets } from "../tools/toolset/toolset.ts";
import { createSoleTools } from "../workspace-tools/sole-tool.ts";
import { createToolCheck, type ToolCheckOptions } from "../workspace-tools/tool-check.ts";
import { createToolInstaller } from "../workspace-tools/tool-installer.ts";
import { createToolLifecycle } from "../workspace-tools/tool-lifecycle.ts";
import { createToolPreview } from "../workspace-tools/tool-preview.ts";
import { createToolTester } from "../workspace-tools/tool-tester.ts";
import { createToolWriter } from "../workspace-tools/tool-writer.ts";
import type { ToolkitWarnings } from "../workspace-tools/with-warnings.ts";

export interface WorkspaceToolsOptions {
  readonly store: Pick<Store, "tools" | "toolkits" | "agents">;
  /** That keep nothing: tools are made for one test or preview. */
  readonly soleToolsets: Toolsets;
  readonly loadAgent: LoadAgent;
  readonly checkOptionsOf: (workspaceId: string) => Promise<ToolCheckOptions>;
  readonly argumentValidator: ArgumentValidator;
  readonly now: () => number;
  readonly newId: NewId;
}

/** The routes of workspace tools, toolkits and templates. */
export function workspaceToolRoutes(options: WorkspaceToolsOptions): readonly Route[] {
  const { store, soleToolsets, loadAgent, argumentValidator, now, newId } = options;
  const { tools, toolkits, agents } = store;
  const newToolId = () => newId("tool");
  const newToolkitId = () => newId("toolkit");
  const check = createToolCheck(options.checkOptionsOf);
  const makeTool = createSoleTools({ toolsets: soleToolsets, now, newId });
  const writer = createToolWriter({ tools, toolkits, check, now, newToolId });
  const prepareTest = createToolTester({ makeTool, argumentValidator, now, newId });
  const lifecycle = createToolLifecycle({ tools, prepareTest, check, now });
  const warningsOf: ToolkitWarnings = async (workspaceId, credential, expected) => {
    if (credential === null) return [];
    const { findSecret } = await options.checkOptionsOf(workspaceId);
    return credentialWarnings(credential, await findSecret(credential), expected);
  };
  const installer = createToolInstaller({
    tools,
    toolkits,
    writer,
    ...{ templates: API_TEMPLATES, openApi: openApiReader },
    now,
    newToolkitId,
    warningsOf,
  });
  const preview = createToolPreview({
    tools,
    agents,
    loadAgent,
    makeTool,
    check,
    argumentValidator,
    newId,
  });
  return [
    ...toolRoutes({ tools, writer, lifecycle, installer, preview, now }),
    ...toolkitRoutes({ toolkits, now, newToolkitId, warningsOf }),
    ...toolTemplateRoutes({ templates: API_TEMPLATES, installer }),
  ];
}
