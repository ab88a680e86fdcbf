import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/api-error.ts";
import { router } from "./router.tsx";
import { sessionQuery } from "./session/session.ts";
import { applyStoredTheme } from "./shell/theme.ts";
import "./styles/tokens.css";
import "./styles/base.css";

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey }) {
      // The session has ended: asking for it again shows the sign-in page.
      const isOver = error instanceof ApiError && error.status === 401 && queryKey[0] !== sessionQuery.queryKey[0];
      if (isOver) queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  }),
  // An error is shown at once, with a button that tries again.
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
});

applyStoredTheme();
const element = document.getElementById("root");
if (element !== null) {
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
