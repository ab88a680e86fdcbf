const EXACT = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
const SECTIONS = ["dependencies", "devDependencies", "optionalDependencies", "overrides"] as const;

export type Manifest = {
  readonly [section in (typeof SECTIONS)[number]]?: Readonly<Record<string, string>> | undefined;
};

/** The dependencies of a manifest that leave their version open. Peers may: they say what they work with. */
export function openVersions(manifest: Manifest): readonly string[] {
  return SECTIONS.flatMap((section) =>
    Object.entries(manifest[section] ?? {})
      .filter(([, version]) => !EXACT.test(version))
      .map(([name, version]) => `${section}: ${name} ${version}`),
  );
}
