/** Part of the contract in docs/cli.md, which scripts rely on. */
export const exitCodes = { success: 0, failed: 1, usage: 2 };
