import { join } from "node:path";

const configuration = {
  // The repository ignores folders of this name.
  distDir: ".cache",
  turbopack: { root: join(import.meta.dirname, "..", "..", "..") },
};

// biome-ignore lint/style/noDefaultExport: this is where Next.js looks for it
export default configuration;
