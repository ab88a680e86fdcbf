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

/** Ready-made toolkits for public APIs. The key needs the scope `tools`. */
export class ToolTemplates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists templates, ordered by id. */
  list(query: ListQuery = {}): PagedList<ToolTemplateSummary> {
    return toPagedList({ transport: this.#transport, path: "/v1/tool-templates", schema: templatePageSchema }, query);
  }

  /** Gets a template with its complete definitions. */
  async get(templateId: string, { signal }: CallOptions = {}): Promise<ToolTemplate> {
    return this.#transport.json({ method: "GET", path: pathOf(templateId), signal }, toolTemplateSchema);
  }

  /** Creates a toolkit of workspace tools from a template. You can change the tools afterwards. */
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
