/** Upper bounds in seconds for network and model calls: 5 ms to 10 minutes. */
export const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600];

/** Upper bounds in seconds for disk and database writes: 0.1 ms to 5 s. */
export const COMMIT_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

/** Upper bounds in seconds for executions: 10 ms to one day. */
export const EXECUTION_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 86_400];

/** Upper bounds for the number of writes in a commit. */
export const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
