/** The name and version of this package, as manifests contain them. */
export const KIT_VERSION = "@yagate/handler 0.1.0";
