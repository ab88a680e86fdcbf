/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** What was found, without secrets. */
  readonly message: string;
  /** What to do, for warnings and failures. */
  readonly advice?: string;
}

/** Creates the findings of one check. */
export function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ check, status: "ok", message }),
    skipped: (message: string): Finding => ({ check, status: "skipped", message }),
    warning: (message: string, advice: string): Finding => ({ check, status: "warning", message, advice }),
    failed: (message: string, advice: string): Finding => ({ check, status: "failed", message, advice }),
  };
}
