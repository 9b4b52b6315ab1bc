export const evaluationCommandIds = {
  open: 'strata.evaluate',
  quick: 'strata.evaluateQuick',
  sessions: 'strata.evaluateSessions',
  withModel: 'strata.evaluateWithModel',
} as const;
