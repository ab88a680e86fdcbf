type Parameter = string | number | undefined;

/**
 * The address of a service's method with its parameters; those that are undefined are left out.
 *
 * @param baseUrl - with or without a path and a slash at its end.
 */
export function serviceUrl(
  baseUrl: string,
  path: string,
  parameters: Readonly<Record<string, Parameter>> = {},
): string {
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}${path}`);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  return url.href;
}
