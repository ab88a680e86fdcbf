import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { pendingApprovals } from "../api/approvals.ts";
import { useLive } from "../live/live.ts";
import { ErrorBlock, Skeleton } from "../parts/blocks.tsx";
import { Button } from "../parts/button.tsx";
import { HiddenText } from "../parts/hidden-text.tsx";
import { Icon } from "../parts/icon.tsx";
import { type Session, sessionQuery, takeLink } from "../session/session.ts";
import { SignInPage } from "../session/sign-in-page.tsx";
import { BrandMark } from "./brand-mark.tsx";
import { useKeys } from "./keys.ts";
import { KeysSheet } from "./keys-sheet.tsx";
import { Palette } from "./palette.tsx";
import { PLACES } from "./places.ts";
import { SessionMenu } from "./session-menu.tsx";
import css from "./shell.module.css";
import { useTheme } from "./theme.ts";

const WAITING_PACE_MS = 2_000;
const openedLink = takeLink();

/** The frame of every page. Without a session, it shows the sign-in page at the same address. */
export function Shell() {
  const [link, setLink] = useState(openedLink);
  const session = useQuery({ ...sessionQuery, enabled: link === undefined });
  const isSignedOut = session.error instanceof ApiError && session.error.status === 401;
  if (session.data !== undefined && !isSignedOut) return <SignedIn session={session.data} />;
  if (link !== undefined || isSignedOut) return <SignInPage link={link} onSignedIn={() => setLink(undefined)} />;
  return (
    <main className={css["page"]} id="main">
      {session.isError ? (
        <>
          <h1>Yagate</h1>
          <ErrorBlock error={session.error} onRetry={() => session.refetch()} />
        </>
      ) : (
        <Skeleton label="the console" />
      )}
    </main>
  );
}

function SignedIn({ session }: { readonly session: Session }) {
  const [open, setOpen] = useState<"keys" | "palette">();
  const { theme, next } = useTheme();
  useKeys({ "?": () => setOpen("keys") });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen("palette");
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a narrow screen, the links scroll sideways.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another current link.
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  const close = () => setOpen(undefined);
  return (
    <>
      <button type="button" className={css["skip"]} onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <header className={css["top"]}>
        <Link className={css["brand"]} to="/">
          <BrandMark />
          Yagate
        </Link>
        <nav ref={nav} className={css["nav"]} aria-label="Pages">
          <ul>
            {PLACES.map(({ path, name, below = [] }) => (
              <li key={path}>
                <Link
                  to={path}
                  aria-current={below.some((start) => pathname.startsWith(start)) ? "page" : undefined}
                  activeProps={{ "aria-current": "page" }}
                  activeOptions={{ includeSearch: false, exact: path === "/" }}
                >
                  {name}
                  {path === "/approvals" && session.scopes.includes("approvals") && <WaitingCount />}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className={css["tools"]}>
          <Button onClick={() => setOpen("palette")} aria-keyshortcuts="Control+K Meta+K">
            <span className={css["find"]}>
              <Icon name="search" />
              <span>Find or paste an id</span>
              <span aria-hidden="true">
                <kbd>⌘K</kbd>
              </span>
            </span>
          </Button>
          <Button isIcon onClick={next} aria-label={`Theme: ${theme}`} title={`Theme: ${theme}`}>
            <Icon name="theme" />
          </Button>
          <SessionMenu session={session} />
        </div>
      </header>
      <main className={css["page"]} id="main" tabIndex={-1}>
        <Outlet />
      </main>
      {open === "keys" && <KeysSheet onClose={close} />}
      {open === "palette" && <Palette onClose={close} />}
    </>
  );
}

/** How many calls wait for a person. */
function WaitingCount() {
  const waiting = useQuery({ queryKey: ["approvals", "pending"], queryFn: ({ signal }) => pendingApprovals(signal) });
  useLive(() => void waiting.refetch(), WAITING_PACE_MS);
  const count = waiting.data?.length ?? 0;
  if (count === 0) return null;
  return (
    <span className={css["count"]}>
      {count}
      <HiddenText> waiting</HiddenText>
    </span>
  );
}
