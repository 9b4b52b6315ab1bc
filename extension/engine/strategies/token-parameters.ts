/** Parameters that are numbers of tokens. Their defaults are made for a window of 200,000, so small windows scale them down. */
export const tokenParameters = [
  'reserveTokens',
  'keepRecentTokens',
  'keepUserTokens',
  'protectTokens',
  'minimumTokens',
  'keepTokens',
  'clearAtLeast',
] as const;

export type TokenParameter = (typeof tokenParameters)[number];

export const isTokenParameter = (name: string): name is TokenParameter =>
  (tokenParameters as readonly string[]).includes(name);
