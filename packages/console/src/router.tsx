import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { EmptyBlock, ErrorBlock } from "./parts/blocks.tsx";
import { parseSearch, type SearchParams, stringifySearch } from "./shell/search-params.ts";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({
  component: Shell,
  errorComponent: ({ error, reset }) => <ErrorBlock error={error} onRetry={reset} />,
  notFoundComponent: () => (
    <>
      <h1>No such page</h1>
      <EmptyBlock title="Nothing is here">The address may be from another version of the console.</EmptyBlock>
    </>
  ),
});

const validateSearch = (search: Record<string, unknown>): SearchParams =>
  // Navigation passes undefined for a parameter that it removes.
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/executions" });
  },
});

const executions = createRoute({
  getParentRoute: () => root,
  path: "/executions",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/executions/executions-page.tsx"), "ExecutionsPage"),
});

const execution = createRoute({
  getParentRoute: () => root,
  path: "/executions/$id",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/execution/execution-page.tsx"), "ExecutionPage"),
});

const toolCall = createRoute({
  getParentRoute: () => root,
  path: "/tool-calls/$id",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/tool-call/tool-call-page.tsx"), "ToolCallPage"),
});

const approvals = createRoute({
  getParentRoute: () => root,
  path: "/approvals",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/approvals/approvals-page.tsx"), "ApprovalsPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([home, executions, execution, toolCall, approvals]),
  basepath: new URL(document.baseURI).pathname,
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
