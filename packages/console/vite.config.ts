import { defineConfig } from "vite";

/** The built console works at any path: its files are found from the page's own address. */
export default defineConfig({
  base: "./",
  build: {
    outDir: "dist",
    target: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    // Data URLs would need another policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: { chunkFileNames: "assets/[name]-[hash].js", entryFileNames: "assets/[name]-[hash].js" },
    },
  },
});
