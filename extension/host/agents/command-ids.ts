export const agentCommandIds = { setUp: 'strata.setUpAgent' } as const;
