import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { EmptyBlock, ErrorBlock } from "./parts/blocks.tsx";
import { parseSearch, type SearchParams, stringifySearch } from "./shell/search-params.ts";
import { Shell } from "./shell/shell.tsx";

const PageError = ({ error, reset }: { readonly error: unknown; reset(): void }) => (
  <ErrorBlock error={error} onRetry={reset} />
);

const root = createRootRoute({
  component: Shell,
  errorComponent: PageError,
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
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/overview/home-page.tsx"), "HomePage"),
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

const toolCalls = createRoute({
  getParentRoute: () => root,
  path: "/tool-calls",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/tool-calls/tool-calls-page.tsx"), "ToolCallsPage"),
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

const agents = createRoute({
  getParentRoute: () => root,
  path: "/agents",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/agents/agents-page.tsx"), "AgentsPage"),
});

const newAgent = createRoute({
  getParentRoute: () => root,
  path: "/agents/new",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/agents/new-agent-page.tsx"), "NewAgentPage"),
});

const agent = createRoute({
  getParentRoute: () => root,
  path: "/agents/$id",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/agents/agent-page.tsx"), "AgentPage"),
});

const tools = createRoute({
  getParentRoute: () => root,
  path: "/tools",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/tools/tools-page.tsx"), "ToolsPage"),
});

const newTool = createRoute({
  getParentRoute: () => root,
  path: "/tools/new",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/tools/new-tool-page.tsx"), "NewToolPage"),
});

const tool = createRoute({
  getParentRoute: () => root,
  path: "/tools/$id",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/tools/tool-page.tsx"), "ToolPage"),
});

const source = createRoute({
  getParentRoute: () => root,
  path: "/sources/$id",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/tools/source-page.tsx"), "SourcePage"),
});

const handlers = createRoute({
  getParentRoute: () => root,
  path: "/handlers",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/handlers/handlers-page.tsx"), "HandlersPage"),
});

const secrets = createRoute({
  getParentRoute: () => root,
  path: "/secrets",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/secrets/secrets-page.tsx"), "SecretsPage"),
});

const metrics = createRoute({
  getParentRoute: () => root,
  path: "/metrics",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/metrics/metrics-page.tsx"), "MetricsPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  validateSearch,
  component: lazyRouteComponent(() => import("./pages/settings/settings-page.tsx"), "SettingsPage"),
});

/** The components in their states. Only development gateways serve its files. */
const gallery = createRoute({
  getParentRoute: () => root,
  path: "/gallery",
  component: lazyRouteComponent(() => import("./pages/gallery/gallery-page.tsx"), "GalleryPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    ...[home, executions, execution, toolCalls, toolCall, approvals],
    ...[agents, newAgent, agent, tools, newTool, tool, source],
    ...[handlers, secrets, metrics, settings, gallery],
  ]),
  basepath: new URL(document.baseURI).pathname,
  parseSearch,
  stringifySearch,
  // A page that fails leaves the navigation as it is.
  defaultErrorComponent: PageError,
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
