import { defined } from "@yagate/lib/objects/defined";
import { type JsonValue, type RestDefinition, YagateError } from "@yagate/protocol";
import type { ApiTemplate } from "./api-template.ts";

export interface InstallOptions {
  /** Names of the tools to install; by default all of them. */
  readonly tools?: readonly string[];
  /** Name of the secret that the tools send. */
  readonly credential?: string;
  /** Values to fix, by parameter name, in all chosen tools with such a parameter. */
  readonly values?: Readonly<Record<string, JsonValue>>;
}

/**
 * Copies definitions from a template, to be saved and edited. They are checked when they are saved, like other
 * definitions.
 *
 * @throws YagateError `INVALID_REQUEST` for a tool or a parameter that the template does not have.
 */
export function installTemplate(template: ApiTemplate, options: InstallOptions = {}): readonly RestDefinition[] {
  const { tools: wanted = template.tools.map(({ name }) => name), credential, values = {} } = options;
  const unknown = wanted.find((name) => !template.tools.some((tool) => tool.name === name));
  if (unknown !== undefined) {
    throw new YagateError("INVALID_REQUEST", `tools: expected tools of the template ${template.id}, not ${unknown}`);
  }
  const chosen = structuredClone(template.tools.filter(({ name }) => wanted.includes(name)));
  for (const name of Object.keys(values)) {
    if (chosen.some(({ parameters }) => parameters.some((one) => one.name === name && one.value === undefined)))
      continue;
    const message = `values: expected values for parameters of the chosen tools that are not yet fixed, not for ${name}`;
    throw new YagateError("INVALID_REQUEST", message);
  }
  return chosen.map((tool) => ({
    ...tool,
    ...defined({ credential }),
    parameters: tool.parameters.map((parameter) => {
      const value = Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined;
      return value === undefined || parameter.value !== undefined ? parameter : { ...parameter, value };
    }),
  }));
}
