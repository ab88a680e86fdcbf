export function BrandMark() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path fill="currentColor" d="M2 2h3v16H2zM15 2h3v16h-3zM7.5 7.5h5v5h-5z" />
    </svg>
  );
}
