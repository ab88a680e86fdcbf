import {
  installedToolkitSchema,
  installToolTemplateSchema,
  pageSchema,
  toolTemplateSchema,
  toolTemplateSummarySchema,
} from "@yagate/protocol";
import { nameAbove, toPage } from "@yagate/store/cursor";
import type { ApiTemplate } from "@yagate/tool-definitions/templates/api-template";
import { noSuchTemplate, type ToolInstaller } from "../../workspace-tools/tool-installer.ts";
import { namePageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

const TAG = "tools";
const SCOPES = ["tools"] as const;

export interface ToolTemplateRouteOptions {
  /** The templates, sorted by id. */
  readonly templates: readonly ApiTemplate[];
  readonly installer: Pick<ToolInstaller, "install">;
}

export function toolTemplateRoutes({ templates, installer }: ToolTemplateRouteOptions): readonly Route[] {
  return [
    defineRoute({
      name: "listToolTemplates",
      method: "get",
      path: "/v1/tool-templates",
      summary: "List tool templates",
      description: "Lists the predefined toolkits for public APIs, sorted by id.",
      tag: TAG,
      scopes: SCOPES,
      query: namePageQuerySchema,
      status: 200,
      response: pageSchema(toolTemplateSummarySchema),
      async handle({ query: { limit, cursor } }) {
        const above = nameAbove(cursor);
        const rows = templates.filter(({ id }) => id > above).slice(0, limit + 1);
        return { status: 200, body: toPage(rows, limit, ({ id }) => id, toSummary) };
      },
    }),
    defineRoute({
      name: "getToolTemplate",
      method: "get",
      path: "/v1/tool-templates/:id",
      summary: "Get a tool template",
      description: "Returns the complete tool definitions. Installing the template creates copies of them.",
      tag: TAG,
      scopes: SCOPES,
      status: 200,
      response: toolTemplateSchema,
      async handle({ params }) {
        const template = templates.find(({ id }) => id === params["id"]);
        if (template === undefined) throw noSuchTemplate();
        return { status: 200, body: template };
      },
    }),
    defineRoute({
      name: "installToolTemplate",
      method: "post",
      path: "/v1/tool-templates/:id/install",
      summary: "Install a tool template",
      description:
        "Creates a toolkit with editable copies of the selected tools. Later changes to the template do not affect the copies.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      body: installToolTemplateSchema.prefault({}),
      status: 201,
      response: installedToolkitSchema,
      handle: async ({ principal, recorder, params, body }) => ({
        status: 201,
        body: await installer.install(principal.workspaceId, params["id"] ?? "", body, recorder),
      }),
    }),
  ];
}

function toSummary({ tools, ...template }: ApiTemplate) {
  const shown = tools.map(({ name, description, method, url }) => ({ name, description, method, url }));
  return { ...template, tools: shown };
}
