// biome-ignore lint/performance/noReExportAll: the same module under the name that it had before it was a package
export * from "@yagate/egress";
