import { type Page, type PageQuery, type Provider, toWorkspaceSecretReference, YagateError } from "@yagate/protocol";
import type { AuditSubject, ChangeRecorder } from "../journal/audit-rows.ts";
import type { EpochMs } from "../journal/port.ts";
import type { WorkspaceProviderRow, WorkspaceProviderStore } from "../journal/provider-rows.ts";
import type { OpenedSecret, WorkspaceSecrets } from "./workspace-secrets.ts";

const MAX_PROVIDERS = 100;

/** The model providers that workspaces configured for themselves, each with the secret that holds its key. */
export interface ProviderCredentials {
  put(
    workspaceId: string,
    provider: { readonly name: string; readonly secretName: string; readonly baseUrl: string | null },
    recorder?: ChangeRecorder,
  ): Promise<Provider>;
  /** @throws YagateError `NOT_FOUND`. */
  get(workspaceId: string, name: string): Promise<Provider>;
  /** In the order of names. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Provider>>;
  /** The base URLs of all that a workspace has, by name. */
  baseUrls(workspaceId: string): Promise<ReadonlyMap<string, string | null>>;
  /** @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, name: string, recorder?: ChangeRecorder): Promise<void>;
  /** The provider and its key as they are now: `secret` is undefined where there is none of that name. */
  find(
    workspaceId: string,
    name: string,
  ): Promise<
    | { readonly secretName: string; readonly secret: OpenedSecret | undefined; readonly baseUrl: string | null }
    | undefined
  >;
}

export interface ProviderCredentialsOptions {
  readonly store: WorkspaceProviderStore;
  readonly secrets: Pick<WorkspaceSecrets, "open">;
  readonly now: () => EpochMs;
}

function toProvider({ name, secretName, baseUrl, createdAt, updatedAt }: WorkspaceProviderRow): Provider {
  return {
    name,
    apiKey: toWorkspaceSecretReference(secretName),
    baseUrl,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

const SUBJECT: AuditSubject<WorkspaceProviderRow> = {
  type: "provider",
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  show: toProvider,
};

export function createProviderCredentials({ store, secrets, now }: ProviderCredentialsOptions): ProviderCredentials {
  return {
    async put(workspaceId, { name, secretName, baseUrl }, recorder) {
      const at = now();
      const row = { workspaceId, name, secretName, baseUrl, createdAt: at, updatedAt: at };
      return toProvider(await store.put(row, MAX_PROVIDERS, recorder?.of(workspaceId, "provider.set", SUBJECT)));
    },
    async get(workspaceId, name) {
      const row = await store.find(workspaceId, name);
      if (row === undefined) throw new YagateError("NOT_FOUND", "no provider of this name in this workspace");
      return toProvider(row);
    },
    async list(workspaceId, page) {
      const { data, nextCursor } = await store.list(workspaceId, page);
      return { data: data.map(toProvider), nextCursor };
    },
    async baseUrls(workspaceId) {
      const { data } = await store.list(workspaceId, { limit: MAX_PROVIDERS });
      return new Map(data.map(({ name, baseUrl }) => [name, baseUrl]));
    },
    delete: (workspaceId, name, recorder) =>
      store.delete(workspaceId, name, recorder?.of(workspaceId, "provider.deleted", SUBJECT)),
    async find(workspaceId, name) {
      const row = await store.find(workspaceId, name);
      if (row === undefined) return undefined;
      const { secretName, baseUrl } = row;
      return { secretName, baseUrl, secret: await secrets.open(workspaceId, secretName) };
    },
  };
}
