import { type PutSecret, pageSchema, type Secret, secretNameSchema, secretSchema } from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const secretPageSchema = pageSchema(secretSchema);

/** The workspace's secrets: values go in and never come out. */
export class Secrets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Names and metadata, in the order of names. */
  list(query: ListQuery = {}): PagedList<Secret> {
    return toPagedList({ transport: this.#transport, path: "/v1/secrets", schema: secretPageSchema }, query);
  }

  /**
   * Sets a secret: a new one, or a new value of one that is there, which counts from its next use on.
   *
   * @param name - 1 to 64 of `A-Z 0-9 _`, starting with a letter.
   * @param secret - `value`: 8 to 8 192 printable ASCII characters. What is left out of `auth` and `hosts` stays as it
   * was.
   */
  async set(name: string, secret: PutSecret, { signal }: CallOptions = {}): Promise<Secret> {
    const request = { method: "PUT", path: pathOf(name), body: secret, signal } as const;
    return this.#transport.json(request, secretSchema);
  }

  /** Deletes a secret; whatever names it says from now on that it is missing. */
  async delete(name: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ method: "DELETE", path: pathOf(name), signal });
  }
}

function pathOf(name: string): string {
  return `/v1/secrets/${requireId(secretNameSchema, name)}`;
}
