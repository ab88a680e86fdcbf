/** The pages of the console on which people decide approvals. */
export interface ApprovalPages {
  /** Returns the absolute URL of an approval's page; undefined if browsers cannot reach the gateway. */
  urlOf(approvalId: string): Promise<string | undefined>;
}

/** Of a gateway that serves no console. */
export const NO_APPROVAL_PAGES: ApprovalPages = { urlOf: async () => undefined };

/** @param baseUrl - returns the URL at which browsers reach the gateway, without a trailing slash; undefined if they cannot. */
export function createApprovalPages(baseUrl: () => Promise<string | undefined>): ApprovalPages {
  return {
    async urlOf(approvalId) {
      const base = await baseUrl();
      return base === undefined ? undefined : `${base}/console/approvals?open=${approvalId}`;
    },
  };
}
