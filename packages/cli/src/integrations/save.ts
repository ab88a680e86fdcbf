import { defined } from "@yagate/lib/objects/defined";
import { createIntegrationSchema, toFieldErrors, updateIntegrationSchema, YagateError } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";

export interface IntegrationFields {
  readonly domain?: readonly string[];
  readonly port?: readonly string[];
  readonly description?: string;
  readonly limits?: string;
}

/**
 * Creates an integration.
 *
 * @throws YagateError `INVALID_REQUEST` if a field is invalid.
 */
export async function create(invocation: Invocation, name: string, fields: IntegrationFields): Promise<void> {
  const client = await invocation.client();
  const integration = createIntegrationSchema.safeParse({ name, ...bodyOf(fields) });
  if (!integration.success) throw refusal(integration.error);
  const created = await client.integrations.create(integration.data);
  const { version, allowedDomains, warnings } = created;
  invocation.output.done(created, `${name} was created: version ${version}, ${allowedDomains.join(", ")}`);
  invocation.output.warnings(warnings);
}

/**
 * Changes the given fields of an integration.
 *
 * @throws YagateError `INVALID_REQUEST` if a field is invalid or none is given.
 */
export async function update(
  invocation: Invocation,
  name: string,
  options: IntegrationFields & { readonly ifVersion?: string },
): Promise<void> {
  const client = await invocation.client();
  const { ifVersion: version, ...fields } = options;
  const given = bodyOf(fields);
  if (Object.keys(given).length === 0) {
    throw new YagateError("INVALID_REQUEST", "expected at least one change: --domain, --port, --description, --limits");
  }
  const change = updateIntegrationSchema.safeParse({
    ...given,
    ...(version === undefined ? {} : { version: numberOf(version) }),
  });
  if (!change.success) throw refusal(change.error);
  const updated = await client.integrations.update(name, change.data);
  invocation.output.done(
    updated,
    `${name} was updated: version ${updated.version}, ${updated.allowedDomains.join(", ")}`,
  );
  invocation.output.warnings(updated.warnings);
}

function bodyOf({ domain, port, description, limits }: IntegrationFields): Record<string, unknown> {
  return {
    ...defined({ allowedDomains: domain }),
    ...(port === undefined ? {} : { ports: port.map(numberOf) }),
    ...defined({ description }),
    ...(limits === undefined ? {} : { limits: parseLimits(limits) }),
  };
}

/** Converts text to a number. Invalid numbers stay strings, so that the schema reports what it expected. */
function numberOf(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function parseLimits(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new YagateError("INVALID_REQUEST", "--limits: expected JSON");
  }
}

const OPTIONS: Readonly<Record<string, string>> = { allowedDomains: "--domain", ports: "--port" };

function refusal(error: Parameters<typeof toFieldErrors>[0]): YagateError {
  const problems = toFieldErrors(error).map(({ path, message }) => {
    const [, field = "", rest = ""] = /^(\w+)(.*)$/.exec(path) ?? [];
    return `${OPTIONS[field] ?? (field === "name" ? field : `--${field}`)}${rest}: ${message}`;
  });
  return new YagateError("INVALID_REQUEST", problems.join("; "));
}
