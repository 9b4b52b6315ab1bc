export const encoderCommandIds = { install: 'strata.installEncoder' } as const;
