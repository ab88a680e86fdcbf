import * as z from "zod";
import { timestampSchema } from "./json.ts";
import { resourceNameSchema } from "./resource-name.ts";
import { warningSchema } from "./warning.ts";

/** A reference to the workspace secret that contains the key for a model provider: `workspace-secret://NAME`. */
const workspaceSecretReferenceSchema = z
  .string()
  .regex(
    /^workspace-secret:\/\/[A-Z][A-Z0-9_]{0,63}$/,
    "expected workspace-secret://NAME, where NAME is a secret of the workspace; store the key itself as this secret",
  );

/**
 * The body of `PUT /v1/providers/:name`. It defines a model provider for the workspace, which replaces the gateway's
 * provider of the same name.
 */
export const putProviderSchema = z
  .strictObject({
    apiKey: workspaceSecretReferenceSchema,
    /** URL of the API. Default: the provider's usual URL. Required for an OpenAI-compatible server. */
    baseUrl: z.string().max(2_000).optional(),
  })
  .meta({ id: "PutProvider" });
export type PutProvider = z.input<typeof putProviderSchema>;

/** A model provider of a workspace. */
export const providerSchema = z
  .looseObject({
    name: resourceNameSchema,
    /** The reference to the key, never the key itself. */
    apiKey: workspaceSecretReferenceSchema,
    baseUrl: z.string().nullable(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    /** Only in responses to requests that save the provider. */
    warnings: z.array(warningSchema).optional(),
  })
  .meta({ id: "Provider" });
export type Provider = z.infer<typeof providerSchema>;

const PREFIX = "workspace-secret://";

/** Returns the reference to a secret, in the form that `PUT /v1/providers/:name` accepts. */
export function toWorkspaceSecretReference(secretName: string): string {
  return PREFIX + secretName;
}

/** Returns the name of the secret that a reference points to. */
export function secretNameOf(reference: string): string {
  return reference.slice(PREFIX.length);
}
