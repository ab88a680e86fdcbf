/** Returns the bearer token in an `Authorization` header; undefined if there is none. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}
