import type { NewId } from "@yagate/lib/ids/ids";
import type { Store } from "@yagate/store/port";
import type { LoadAgent } from "../../execution/loaded-agents.ts";
import type { ArgumentValidator } from "../../tools/arguments/argument-validator.ts";
import { credentialWarnings } from "../../tools/credential-warnings.ts";
import { openApiReader } from "../../tools/rest/openapi/import-openapi.ts";
import { API_TEMPLATES } from "../../tools/rest/templates/api-templates.ts";
import type { Toolsets } from "../../tools/toolset.ts";
import type { Route } from "../route.ts";
import { toolTemplateRoutes } from "../routes/tool-templates.ts";
import { type ToolkitWarnings, toolkitRoutes } from "../routes/toolkits.ts";
import { toolRoutes } from "../routes/tools.ts";
import { createSoleTools } from "./sole-tool.ts";
import { createToolCheck, type ToolCheckOptions } from "./tool-check.ts";
import { createToolInstaller } from "./tool-installer.ts";
import { createToolLifecycle } from "./tool-lifecycle.ts";
import { createToolPreview } from "./tool-preview.ts";
import { createToolTester } from "./tool-tester.ts";
import { createToolWriter } from "./tool-writer.ts";

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
