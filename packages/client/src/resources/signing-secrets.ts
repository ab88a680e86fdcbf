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

/** Which signing secret to rotate. */
export interface RotateRequest {
  /** The name of the secret; a new name creates a new secret. Default: `default`. */
  readonly name?: string | undefined;
  /** How long the previous secret continues to sign, in seconds: 0 to 604,800, default 86,400. */
  readonly overlapSeconds?: number | undefined;
}

/** The secrets with which the gateway signs requests to handlers. */
export class SigningSecrets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the names and times of the secrets, ordered by name. The secrets themselves are never returned again. */
  list(query: ListQuery = {}): PagedList<SigningSecret> {
    const path = "/v1/signing-secrets";
    return toPagedList({ transport: this.#transport, path, schema: signingSecretPageSchema }, query);
  }

  /** Replaces the current secret with this name, or creates the first one. Only this result contains the secret. */
  async rotate(body: RotateRequest = {}, { signal }: CallOptions = {}): Promise<RotatedSigningSecret> {
    const path = "/v1/signing-secrets/rotate";
    const request = { method: "POST", path, body, signal, repeat: "refused" } as const;
    return this.#transport.json(request, rotatedSigningSecretSchema);
  }
}
