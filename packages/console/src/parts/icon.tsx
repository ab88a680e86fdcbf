import type { ReactNode } from "react";

const line = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.6,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;
const ring = <circle {...line} cx="8" cy="8" r="5.8" />;

const SHAPES = {
  ok: <path {...line} strokeWidth={2} d="M3 8.5 6.3 12 13 4.5" />,
  queued: <circle {...line} cx="8" cy="8" r="5.6" strokeDasharray="0.1 3.42" />,
  running: (
    <>
      <circle {...line} cx="8" cy="8" r="5.6" strokeOpacity={0.3} />
      <path {...line} strokeWidth={2} d="M8 2.4A5.6 5.6 0 0 1 13.6 8" />
    </>
  ),
  waiting: <path fill="currentColor" d="M3.6 3h3v10h-3zM9.4 3h3v10h-3z" />,
  failed: (
    <>
      <path fill="currentColor" d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" />
      <path
        fill="none"
        stroke="var(--knock, var(--surface-1))"
        strokeWidth={1.7}
        strokeLinecap="round"
        d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8"
      />
    </>
  ),
  denied: (
    <>
      {ring}
      <path {...line} strokeWidth={1.8} d="m4 12 8-8" />
    </>
  ),
  unknown: (
    <>
      <path {...line} strokeWidth={1.4} strokeDasharray="2.4 2" d="M8 .9 15.1 8 8 15.1.9 8z" />
      <path {...line} strokeWidth={1.5} d="M6.3 6.5c.1-1 .8-1.6 1.8-1.6s1.7.6 1.7 1.5c0 1.3-1.7 1.4-1.7 2.6" />
      <circle cx="8.1" cy="11" r=".95" fill="currentColor" />
    </>
  ),
  cancelled: (
    <>
      {ring}
      <path {...line} strokeWidth={1.8} d="M5.4 8h5.2" />
    </>
  ),
  limit: (
    <>
      <path {...line} d="M2 8h7.5M6.6 5l3 3-3 3" />
      <path {...line} strokeWidth={2} d="M13 3v10" />
    </>
  ),
  untrusted: (
    <>
      <path {...line} strokeDasharray="2.2 2" d="M8 2.2h5.8v11.6H8" />
      <path {...line} d="M1.8 8h7.4M6.4 5.2 9.2 8l-2.8 2.8" />
    </>
  ),
  chevron: <path {...line} d="m6 3.8 4.2 4.2L6 12.2" />,
  more: (
    <g fill="currentColor">
      <circle cx="3" cy="8" r="1.3" />
      <circle cx="8" cy="8" r="1.3" />
      <circle cx="13" cy="8" r="1.3" />
    </g>
  ),
  copy: (
    <path
      {...line}
      strokeWidth={1.4}
      d="M5.5 7A1.5 1.5 0 0 1 7 5.5h5A1.5 1.5 0 0 1 13.5 7v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 12zM10.5 3a1.5 1.5 0 0 0-1.5-1.5H3.5A1.5 1.5 0 0 0 2 3v5.5A1.5 1.5 0 0 0 3.5 10"
    />
  ),
  search: <path {...line} d="M11.4 7A4.4 4.4 0 1 1 2.6 7a4.4 4.4 0 0 1 8.8 0zM10.4 10.4l3.4 3.4" />,
  close: <path {...line} d="m4 4 8 8m0-8-8 8" />,
  retry: <path {...line} d="M13 8a5 5 0 1 1-1.6-3.7M13 2.4v2.7h-2.7" />,
  clock: (
    <>
      {ring}
      <path {...line} d="M8 4.6V8l2.4 1.6" />
    </>
  ),
  download: <path {...line} d="M8 2.5v7.6M4.9 7.2 8 10.3l3.1-3.1M3 13.5h10" />,
  key: <path {...line} d="M8.2 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0zH14m-2.4 0v2.6" />,
  theme: (
    <>
      {ring}
      <path fill="currentColor" d="M8 2.2a5.8 5.8 0 0 1 0 11.6z" />
    </>
  ),
  warning: (
    <>
      <path {...line} d="M8 2 14.6 13.4H1.4zM8 6.4v3" />
      <circle cx="8" cy="11.4" r=".8" fill="currentColor" />
    </>
  ),
  person: <path {...line} d="M10.6 5a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 0 1 5.2 0zM3 13.6c.5-2.6 2.4-4 5-4s4.5 1.4 5 4" />,
  page: <path {...line} d="M4 1.9h5.2L12.4 5v9.1H4z" />,
  model: (
    <path
      {...line}
      d="M8 2.2v2.4M8 11.4v2.4M2.2 8h2.4M11.4 8h2.4M6.2 4.6h3.6a1.6 1.6 0 0 1 1.6 1.6v3.6a1.6 1.6 0 0 1-1.6 1.6H6.2a1.6 1.6 0 0 1-1.6-1.6V6.2a1.6 1.6 0 0 1 1.6-1.6z"
    />
  ),
} as const satisfies Readonly<Record<string, ReactNode>>;

export type IconName = keyof typeof SHAPES;

/** A drawing of 16 px. A word always stands beside it, or in its button's label. */
export function Icon({ name, className }: { readonly name: IconName; readonly className?: string | undefined }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" className={className}>
      {SHAPES[name]}
    </svg>
  );
}
