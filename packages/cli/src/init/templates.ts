/** A framework for which `yagate init` creates a project. */
export interface Template {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** The command that starts the service, which listens on port 3000. */
  readonly start: string;
  readonly tsconfig: Readonly<Record<string, unknown>>;
}

const SERVICE = "node --env-file=.env service.ts";

/** The versions that the tests of this repository use. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  express: {
    dependencies: { express: "5.3.0" },
    devDependencies: { "@types/express": "5.0.6" },
    start: SERVICE,
    tsconfig: {},
  },
  hono: {
    dependencies: { "@hono/node-server": "2.1.8", hono: "4.13.19" },
    devDependencies: {},
    start: SERVICE,
    tsconfig: {},
  },
  fastify: { dependencies: { fastify: "5.12.8" }, devDependencies: {}, start: SERVICE, tsconfig: {} },
  nextjs: {
    dependencies: { next: "16.4.5", react: "19.3.1", "react-dom": "19.3.1" },
    devDependencies: { "@types/react": "19.3.3" },
    start: "next dev --port 3000",
    tsconfig: {
      ...{ jsx: "react-jsx", module: "esnext", moduleResolution: "bundler", lib: ["dom", "dom.iterable", "esnext"] },
      ...{ isolatedModules: true, incremental: true, resolveJsonModule: true, esModuleInterop: true },
      plugins: [{ name: "next" }],
    },
  },
};

export const DEFAULT_TEMPLATE = "express";
