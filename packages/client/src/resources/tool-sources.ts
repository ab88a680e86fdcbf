import {
  type AcceptTools,
  type AdoptTools,
  type ConfirmLogin,
  type CreateToolSource,
  pageSchema,
  type RevokeTools,
  type SourceToolDetail,
  type StartedLogin,
  sourceToolDetailSchema,
  startedLoginSchema,
  type ToolChange,
  type ToolSource,
  type ToolSourceTest,
  toolChangeSchema,
  toolSourceIdSchema,
  toolSourceSchema,
  toolSourceTestSchema,
  type UpdateToolSource,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { requireKnownOptions } from "../known-options.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

/** Options for `sources.delete`. */
export interface DeleteToolSourceOptions extends CallOptions {
  /** Whether the source is deleted even if agents refer to it. Default false. */
  readonly force?: boolean | undefined;
}

const sourcePageSchema = pageSchema(toolSourceSchema);
const changePageSchema = pageSchema(toolChangeSchema);

/** Places that publish tool definitions. The key needs the scope `tools`. */
export class ToolSources {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a source and reads its tools. If that fails, the source has no tools, and its `status` and `reason` state
   * why.
   *
   * @throws ApiError `CONFLICT` if the name is taken or the workspace has 50 sources; `INVALID_REQUEST`.
   */
  async create(source: CreateToolSource, { signal }: CallOptions = {}): Promise<ToolSource> {
    const request = { method: "POST", path: "/v1/tool-sources", body: source, signal, repeat: "refused" } as const;
    return this.#transport.json(request, toolSourceSchema);
  }

  /** Gets a source with its tools. */
  async get(sourceId: string, { signal }: CallOptions = {}): Promise<ToolSource> {
    return this.#transport.json({ method: "GET", path: pathOf(sourceId), signal }, toolSourceSchema);
  }

  /**
   * Gets one tool of a source with its definitions.
   *
   * @param name - the name that the source publishes.
   * @throws ApiError `NOT_FOUND` if the source neither publishes the tool nor has an accepted definition of it.
   */
  async tool(sourceId: string, name: string, { signal }: CallOptions = {}): Promise<SourceToolDetail> {
    const path = `${pathOf(sourceId)}/tools/${encodeURIComponent(name)}`;
    return this.#transport.json({ method: "GET", path, signal }, sourceToolDetailSchema);
  }

  /** Lists sources without their tools, newest first. */
  list(query: ListQuery = {}): PagedList<ToolSource> {
    return toPagedList({ transport: this.#transport, path: "/v1/tool-sources", schema: sourcePageSchema }, query);
  }

  /** Changes the settings of a source, and reads its tools again. */
  async update(sourceId: string, change: UpdateToolSource, { signal }: CallOptions = {}): Promise<ToolSource> {
    const request = { method: "PATCH", path: pathOf(sourceId), body: change, signal, repeat: "refused" } as const;
    return this.#transport.json(request, toolSourceSchema);
  }

  /**
   * Deletes a source.
   *
   * @throws ApiError `CONFLICT` if agents refer to the source and `force` is not set.
   */
  async delete(sourceId: string, options: DeleteToolSourceOptions = {}): Promise<void> {
    requireKnownOptions(options, ["force", "signal"], "sources.delete");
    const { signal, force } = options;
    const query = { force: force === true ? "true" : undefined };
    await this.#transport.empty({ method: "DELETE", path: pathOf(sourceId), query, signal });
  }

  /**
   * Reads the tools of a source again.
   *
   * @throws ApiError `SOURCE_UNREACHABLE`, `SOURCE_UNAUTHORIZED`, `INVALID_RESPONSE_SIGNATURE`, `MANIFEST_INVALID` or
   *   `TOO_MANY_TOOLS` if that fails. The accepted definitions then stay in use.
   */
  async sync(sourceId: string, { signal }: CallOptions = {}): Promise<ToolSource> {
    const request = { method: "POST", path: `${pathOf(sourceId)}/sync`, signal, repeat: "refused" } as const;
    return this.#transport.json(request, toolSourceSchema);
  }

  /**
   * Reads a source now and reports what a sync would find and change. Nothing is stored, and no tool is called. If the
   * source cannot be read, `status` and `reason` state why.
   */
  async test(sourceId: string, { signal }: CallOptions = {}): Promise<ToolSourceTest> {
    const request = { method: "POST", path: `${pathOf(sourceId)}/test`, signal } as const;
    return this.#transport.json(request, toolSourceTestSchema);
  }

  /**
   * Starts a sign-in to the MCP server of a source with OAuth, which replaces an earlier one. A person opens
   * `authorizationUrl` in a browser, which shows a code at the end.
   *
   * @throws ApiError `SOURCE_UNAUTHORIZED` or `SOURCE_UNREACHABLE` if the issuer or the server prevents it; `CONFLICT`
   *   if a person cannot sign in to the source; `NOT_CONFIGURED` if the gateway has no public URL.
   */
  async login(sourceId: string, { signal }: CallOptions = {}): Promise<StartedLogin> {
    const request = { method: "POST", path: `${pathOf(sourceId)}/login`, signal, repeat: "refused" } as const;
    return this.#transport.json(request, startedLoginSchema);
  }

  /**
   * Confirms a sign-in with the code that the browser showed, within 10 minutes of its start and with the same API
   * key. Then the tools are read; if that fails, the source's `status` and `reason` state why.
   *
   * @throws ApiError `INVALID_REQUEST` for a wrong code, at most 5 times; `CONFLICT` if no sign-in is waiting for a
   *   code.
   */
  async confirmLogin(sourceId: string, confirmation: ConfirmLogin, { signal }: CallOptions = {}): Promise<ToolSource> {
    const path = `${pathOf(sourceId)}/login/confirm`;
    const request = { method: "POST", path, body: confirmation, signal, repeat: "refused" } as const;
    return this.#transport.json(request, toolSourceSchema);
  }

  /** Lists the tools that are new, changed or removed since they were accepted, ordered by name. */
  changes(sourceId: string, query: ListQuery = {}): PagedList<ToolChange> {
    const path = `${pathOf(sourceId)}/changes`;
    return toPagedList({ transport: this.#transport, path, schema: changePageSchema }, query);
  }

  /**
   * Accepts the definitions with these hashes: either all of them or none.
   *
   * @throws ApiError `CONFLICT` if the definitions of some tools have changed in the meantime; `errors` lists them.
   */
  async accept(sourceId: string, accepted: AcceptTools, { signal }: CallOptions = {}): Promise<ToolSource> {
    const path = `${pathOf(sourceId)}/accept`;
    const request = { method: "POST", path, body: accepted, signal, repeat: "refused" } as const;
    return this.#transport.json(request, toolSourceSchema);
  }

  /** Holds the named tools, or all tools of the source, until they are accepted again. */
  async revoke(sourceId: string, revoked: RevokeTools = {}, { signal }: CallOptions = {}): Promise<ToolSource> {
    const path = `${pathOf(sourceId)}/revoke`;
    return this.#transport.json({ method: "POST", path, body: revoked, signal }, toolSourceSchema);
  }

  /**
   * Makes workspace tools follow operations of an OpenAPI document: either all of them or none. The tools keep their
   * ids, and their definitions become the accepted ones.
   *
   * @throws ApiError `INVALID_REQUEST` if a tool cannot follow an operation; `CONFLICT` if the source is not an OpenAPI
   *   document, or if a tool changes in the meantime.
   */
  async adopt(sourceId: string, adopted: AdoptTools, { signal }: CallOptions = {}): Promise<ToolSource> {
    const path = `${pathOf(sourceId)}/adopt`;
    return this.#transport.json({ method: "POST", path, body: adopted, signal }, toolSourceSchema);
  }
}

function pathOf(sourceId: string): string {
  return `/v1/tool-sources/${requireId(toolSourceIdSchema, sourceId)}`;
}
