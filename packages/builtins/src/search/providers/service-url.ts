type Parameter = string | number | undefined;

/**
 * Returns the URL of an API method with its parameters, without the undefined ones.
 *
 * @param baseUrl - with or without a path and a trailing slash.
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
