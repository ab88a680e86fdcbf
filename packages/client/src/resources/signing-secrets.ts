import {
  pageSchema,
  type RotatedSigningSecret,
  rotatedSigningSecretSchema,
  type SigningSecret,
  signingSecretSchema,
} from "@yagate/protocol";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const signingSecretPageSchema = pageSchema(signingSecretSchema);

/** What to rotate. */
export interface RotateRequest {
  /** Default: `default`. A new name makes a new secret. */
  readonly name?: string | undefined;
  /** How long the previous secret keeps signing: 0 to 604 800, default 86 400. */
  readonly overlapSeconds?: number | undefined;
}

/** The secrets that sign calls to handlers. */
export class SigningSecrets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Names and times; the secrets themselves are never shown again. */
  list(query: ListQuery = {}): PagedList<SigningSecret> {
    const path = "/v1/signing-secrets";
    return toPagedList({ transport: this.#transport, path, schema: signingSecretPageSchema }, query);
  }

  /** Makes a new secret under a name. The answer is the only one that shows it. */
  async rotate(body: RotateRequest = {}, { signal }: CallOptions = {}): Promise<RotatedSigningSecret> {
    const path = "/v1/signing-secrets/rotate";
    const request = { method: "POST", path, body, signal, repeat: "refused" } as const;
    return this.#transport.json(request, rotatedSigningSecretSchema);
  }
}
