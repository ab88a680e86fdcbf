import {
  type InstalledToolkit,
  type InstallToolTemplate,
  installedToolkitSchema,
  pageSchema,
  resourceNameSchema,
  type ToolTemplate,
  type ToolTemplateSummary,
  toolTemplateSchema,
  toolTemplateSummarySchema,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const templatePageSchema = pageSchema(toolTemplateSummarySchema);

/** Ready toolkits for public APIs. The key needs the scope `tools`. */
export class ToolTemplates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** In the order of ids. */
  list(query: ListQuery = {}): PagedList<ToolTemplateSummary> {
    return toPagedList({ transport: this.#transport, path: "/v1/tool-templates", schema: templatePageSchema }, query);
  }

  /** A template with its whole definitions. */
  async get(templateId: string, { signal }: CallOptions = {}): Promise<ToolTemplate> {
    return this.#transport.json({ method: "GET", path: pathOf(templateId), signal }, toolTemplateSchema);
  }

  /** Clones a template into a toolkit with tools of the workspace, which can then be edited. */
  async install(
    templateId: string,
    request: InstallToolTemplate = {},
    { signal }: CallOptions = {},
  ): Promise<InstalledToolkit> {
    const path = `${pathOf(templateId)}/install`;
    const call = { method: "POST", path, body: request, signal, repeat: "refused" } as const;
    return this.#transport.json(call, installedToolkitSchema);
  }
}

function pathOf(templateId: string): string {
  return `/v1/tool-templates/${requireId(resourceNameSchema, templateId)}`;
}
