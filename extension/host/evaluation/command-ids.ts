export const evaluationCommandIds = { evaluate: 'strata.evaluate' } as const;
