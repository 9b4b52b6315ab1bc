import type { ViewSettings } from '../../extension/host/view/notices';

/** Inputs of a session's view besides the session: the usual settings, and no forks. */
export const settings = {
  strategy: 'tool-calls',
  parameters: {},
  reserveTokens: 16_384,
  fallbackContextWindow: 200_000,
  automation: { enabled: false, floorTokens: 0, pauseTokens: 0 },
  automationStopped: null,
} as unknown as ViewSettings;
export const forks = { isFork: () => false, find: () => null } as never;
