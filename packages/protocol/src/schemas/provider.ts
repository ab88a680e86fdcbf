import * as z from "zod";
import { timestampSchema } from "./json.ts";
import { resourceNameSchema } from "./names.ts";
import { warningSchema } from "./warning.ts";

/** Refers to a workspace secret where a model provider's key is asked for: `workspace-secret://NAME`. */
const workspaceSecretReferenceSchema = z
  .string()
  .regex(
    /^workspace-secret:\/\/[A-Z][A-Z0-9_]{0,63}$/,
    "expected workspace-secret://NAME, where NAME is a secret of the workspace; a key itself does not belong here",
  );

/** Sets a model provider of a workspace; replaces the gateway's own of that name. */
export const putProviderSchema = z
  .strictObject({
    apiKey: workspaceSecretReferenceSchema,
    /** Where its API is, when not at the provider's own address. Must be given for an OpenAI-compatible server. */
    baseUrl: z.string().max(2_000).optional(),
  })
  .meta({ id: "PutProvider" });
export type PutProvider = z.input<typeof putProviderSchema>;

/** A model provider of a workspace. */
export const providerSchema = z
  .looseObject({
    name: resourceNameSchema,
    /** The reference, never the key. */
    apiKey: workspaceSecretReferenceSchema,
    baseUrl: z.string().nullable(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    /** Only in the answers to saving. */
    warnings: z.array(warningSchema).optional(),
  })
  .meta({ id: "Provider" });
export type Provider = z.infer<typeof providerSchema>;

const PREFIX = "workspace-secret://";

/** The reference to a secret, as `PUT /providers/:name` takes it. */
export function toWorkspaceSecretReference(secretName: string): string {
  return PREFIX + secretName;
}

/** The name of the secret that a reference stands for. */
export function secretNameOf(reference: string): string {
  return reference.slice(PREFIX.length);
}
