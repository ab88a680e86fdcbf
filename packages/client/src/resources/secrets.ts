import { type PutSecret, pageSchema, type Secret, secretNameSchema, secretSchema } from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const secretPageSchema = pageSchema(secretSchema);

/** The secrets of the workspace. The API never returns their values. */
export class Secrets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists secrets with their metadata, without their values, ordered by name. */
  list(query: ListQuery = {}): PagedList<Secret> {
    return toPagedList({ transport: this.#transport, path: "/v1/secrets", schema: secretPageSchema }, query);
  }

  /**
   * Creates a secret, or replaces the value of an existing secret. The new value applies from the next use.
   *
   * @param name - 1 to 64 characters from `A-Z 0-9 _`, starting with a letter.
   * @param secret - `value` is 8 to 8,192 printable ASCII characters, or a user name and a password. If `auth` or
   *   `hosts` is omitted, it keeps its saved value.
   */
  async set(name: string, secret: PutSecret, { signal }: CallOptions = {}): Promise<Secret> {
    const request = { method: "PUT", path: pathOf(name), body: secret, signal } as const;
    return this.#transport.json(request, secretSchema);
  }

  /** Deletes a secret. Agents, tools and providers that refer to it then report that it is missing. */
  async delete(name: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ method: "DELETE", path: pathOf(name), signal });
  }
}

function pathOf(name: string): string {
  return `/v1/secrets/${requireId(secretNameSchema, name)}`;
}
